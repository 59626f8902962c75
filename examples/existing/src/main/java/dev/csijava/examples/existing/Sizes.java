package dev.csijava.examples.existing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.examples.existing.Disk.Kind;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How large disks are. A disk that hangs costs the deadline of the reader, not a thread. */
final class Sizes {
  private static final Logger log = LoggerFactory.getLogger(Sizes.class);

  private final UsageReader reader;

  Sizes(UsageReader reader) {
    this.reader = reader;
  }

  /**
   * In bytes: the device, or the file system that a directory shares with others. Empty for a disk
   * that does not say, so that it keeps nobody from listing the others.
   */
  OptionalLong of(Disk disk) {
    if (disk.fault().isPresent()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(usage(disk, disk.source()).bytes().total());
    } catch (CsiException e) {
      log.warn("the size of {} can't be told", disk.name(), e);
      return OptionalLong.empty();
    }
  }

  VolumeUsage usage(Disk disk, Path path) {
    return disk.kind() == Kind.BLOCK ? reader.ofBlockDevice(path) : reader.ofFileSystem(path);
  }
}
