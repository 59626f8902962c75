package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the kernel can't say of a mount at a target: in which access mode it was asked for. A set of
 * targets, not a mark of the volume (B123). Safe for use by several threads.
 */
public final class Publications {
  private final RunEntries<Publication> entries;

  private Publications(RunEntries<Publication> entries) {
    this.entries = entries;
  }

  /**
   * Reads what an earlier process left.
   *
   * @param runDirectory absolute
   */
  public static Publications open(Path runDirectory) throws IOException {
    return open(runDirectory, Steps.NONE);
  }

  /**
   * The same, telling of each step of a change.
   *
   * @param runDirectory absolute
   */
  public static Publications open(Path runDirectory, Steps steps) throws IOException {
    return new Publications(
        RunEntries.open(
            runDirectory.resolve("publications"),
            Publication.getDefaultInstance(),
            Publication::getTargetPath,
            Publication::getVolumeId,
            steps));
  }

  /** What was published of a volume, at whatever target. */
  public List<Publication> of(String volumeId) {
    return List.copyOf(entries.of(volumeId));
  }

  /** Whether this volume was published at a path, be it there still or not. */
  public boolean isAt(Record volume, Path target) {
    return of(volume.getId()).stream()
        .anyMatch(publication -> publication.getTargetPath().equals(target.toString()));
  }

  /**
   * Remembers a publication, in place of an earlier one at that target.
   *
   * @throws CsiException INTERNAL if it can't be written; nothing is remembered then
   */
  public void put(Publication publication) {
    entries.put(publication);
  }

  /** Forgets what was published at a target, if anything was. */
  public void remove(String targetPath) {
    entries.remove(targetPath);
  }
}
