package dev.csijava.examples.memory;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a volume is mounted, as the kernel has it now. Each tmpfs is named after its volume, so the
 * kernel's table alone tells whose mount is where, after a restart of the driver too (rule K4).
 *
 * @param all the mounts of the volume
 */
record VolumeMounts(List<Mount> all) {
  static VolumeMounts read(String volumeId) {
    try {
      return new VolumeMounts(
          MountTable.read().all().stream().filter(mount -> belongsTo(mount, volumeId)).toList());
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read", e);
    }
  }

  /** The name of a volume's tmpfs. */
  static String source(String volumeId) {
    return "memory-" + volumeId;
  }

  static boolean belongsTo(Mount mount, String volumeId) {
    return mount.fileSystemType().equals("tmpfs") && mount.source().equals(source(volumeId));
  }

  /** One that lies at none of these paths. */
  Optional<Path> elsewhere(Path... paths) {
    Set<Path> known = Set.of(paths);
    return all.stream().map(Mount::target).filter(target -> !known.contains(target)).findFirst();
  }

  /** One that is not read-only by itself, as the one at the staging path. */
  Optional<Path> unrestricted() {
    return all.stream()
        .filter(mount -> !mount.options().contains("ro") || mount.superOptions().contains("ro"))
        .map(Mount::target)
        .findFirst();
  }
}
