package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.hostpath.state.Record;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Makes volumes appear at their staging path, for NodeStage and for a publish after it was lost.
 */
public final class StagedVolumes {
  private final NodeVolumes volumes;
  private final Mounter mounter;

  /**
   * @param mounter binds the data
   */
  public StagedVolumes(NodeVolumes volumes, Mounter mounter) {
    this.volumes = volumes;
    this.mounter = mounter;
  }

  /**
   * Ends with the volume, and nothing else, at the staging path.
   *
   * @throws CsiException FAILED_PRECONDITION if the path is not there or holds files of somebody;
   *     INVALID_ARGUMENT if it is no directory; ALREADY_EXISTS if something else, or the volume
   *     with another read-only state, is mounted there; INTERNAL if the mount fails
   */
  void stage(Record volume, TargetPath staging, MountOptions options) {
    if (!volumes.isMountPoint(staging.path())) {
      requireEmptyDirectory(staging.path());
    }
    mounter.bind(volumes.data(volume), staging.path(), options);
  }

  /**
   * Looks whether the volume really is staged, and stages it again if the mount was lost: a reboot
   * takes it away, and callers do not repeat NodeStage for what they believe staged (rule K6).
   *
   * @throws CsiException FAILED_PRECONDITION if something else is mounted there, or the path does
   *     not allow to stage again
   */
  void ensure(Record volume, TargetPath staging, MountOptions options) {
    if (volumes.isShownAt(volume, staging.path())) {
      return;
    }
    if (volumes.isMountPoint(staging.path())) {
      throw CsiException.failedPrecondition(
          "what is mounted at staging_target_path is not this volume");
    }
    stage(volume, staging, options);
  }

  private static void requireEmptyDirectory(Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw CsiException.failedPrecondition(
          "staging_target_path does not exist; the caller makes it before it stages");
    }
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw CsiException.invalidArgument("staging_target_path is not a directory");
    }
    EmptyDirectory.require("staging_target_path", path);
  }
}
