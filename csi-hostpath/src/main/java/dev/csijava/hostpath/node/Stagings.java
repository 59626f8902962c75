package dev.csijava.hostpath.node;

import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.Staged;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which volume was staged at which path. Of a volume that is mounted there the kernel knows it
 * better; of a raw block volume nobody else does. Safe for use by several threads.
 */
public final class Stagings {
  private final RunEntries<Staged> entries;

  private Stagings(RunEntries<Staged> entries) {
    this.entries = entries;
  }

  /**
   * Reads what an earlier process left.
   *
   * @param runDirectory absolute
   */
  public static Stagings open(Path runDirectory) throws IOException {
    return open(runDirectory, Steps.NONE);
  }

  /**
   * The same, telling of each step of a change.
   *
   * @param runDirectory absolute
   */
  public static Stagings open(Path runDirectory, Steps steps) throws IOException {
    return new Stagings(
        RunEntries.open(
            runDirectory.resolve("staged"),
            Staged.getDefaultInstance(),
            Staged::getStagingPath,
            Staged::getVolumeId,
            steps));
  }

  /** Where a volume was staged. */
  public List<Path> of(Record volume) {
    return of(volume.getId());
  }

  List<Path> of(String volumeId) {
    return entries.of(volumeId).stream().map(staged -> Path.of(staged.getStagingPath())).toList();
  }

  Optional<Staged> at(Path staging) {
    return entries.at(staging.toString());
  }

  /**
   * Remembers where a volume is staged.
   *
   * @throws dev.csijava.core.CsiException INTERNAL if it can't be written
   */
  public void put(Record volume, Path staging, boolean readOnly) {
    entries.put(
        Staged.newBuilder()
            .setVolumeId(volume.getId())
            .setFolder(volume.getFolder())
            .setStagingPath(staging.toString())
            .setReadonly(readOnly)
            .build());
  }

  /** Forgets what was staged at a path, if anything was. */
  public void remove(Path staging) {
    entries.remove(staging.toString());
  }
}
