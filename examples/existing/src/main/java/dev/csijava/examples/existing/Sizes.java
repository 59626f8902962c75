package dev.csijava.examples.existing;

import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.examples.existing.Disk.Kind;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How large disks are. A disk that hangs costs the deadline of the reader, not a thread. */
final class Sizes {
  private final UsageReader reader;

  Sizes(UsageReader reader) {
    this.reader = reader;
  }

  /** In bytes: the device, or the file system that a directory shares with others. */
  OptionalLong of(Disk disk) {
    return disk.fault().isPresent()
        ? OptionalLong.empty()
        : OptionalLong.of(usage(disk, disk.source()).bytes().total());
  }

  VolumeUsage usage(Disk disk, Path path) {
    return disk.kind() == Kind.BLOCK ? reader.ofBlockDevice(path) : reader.ofFileSystem(path);
  }
}
