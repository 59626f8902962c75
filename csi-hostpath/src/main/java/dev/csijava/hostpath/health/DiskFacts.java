package dev.csijava.hostpath.health;

import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** What can be seen from the state directory: data that is gone, a disk that fails or is full. */
public final class DiskFacts implements VolumeFacts {
  private static final int NEARLY_FULL_PERCENT = 95;
  private static final int WHOLE_PERCENT = 100;

  private final ObjectStore volumes;

  /**
   * @param volumes the committed volumes
   */
  public DiskFacts(ObjectStore volumes) {
    this.volumes = volumes;
  }

  @Override
  public List<Problem> ofVolume(Record volume) {
    Path data = volumes.data(volume);
    try {
      BasicFileAttributes _ =
          Files.readAttributes(data, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return List.of();
    } catch (NoSuchFileException e) {
      return List.of(
          new Problem(
              Severity.DATA_LOSS, "DataMissing", "the volume's data is gone from the disk"));
    } catch (IOException e) {
      return List.of(
          new Problem(
              Severity.INACCESSIBLE, "DiskFailure", "the disk under the volume does not answer"));
    }
  }

  @Override
  public List<Problem> ofStorage() {
    try {
      FileStore store = Files.getFileStore(volumes.base());
      long total = store.getTotalSpace();
      long used = total - store.getUsableSpace();
      if (total > 0 && used > total / WHOLE_PERCENT * NEARLY_FULL_PERCENT) {
        return List.of(
            new Problem(
                Severity.DEGRADED,
                "StorageNearlyFull",
                "less than 5% of the state directory's file system is free"));
      }
      return List.of();
    } catch (IOException e) {
      return List.of(
          new Problem(
              Severity.INACCESSIBLE, "DiskFailure", "the state directory's disk does not answer"));
    }
  }
}
