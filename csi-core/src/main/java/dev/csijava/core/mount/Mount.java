package dev.csijava.core.mount;

import java.nio.file.Path;
import java.util.Set;

/**
 * One mount, as the kernel lists it.
 *
 * @param id the kernel's number of the mount; used again after it is gone
 * @param parentId the mount that it lies on
 * @param device the device of the file system, {@code major:minor}
 * @param root what of that file system is mounted, from its own root, which is not a path of this
 *     host's tree
 * @param target the mount point: an absolute path as this process sees it
 * @param options the options of this mount, for example {@code ro} and {@code nosuid}
 * @param fileSystemType for example {@code ext4}
 * @param source what was mounted as the file system names it, for example {@code /dev/loop0}
 * @param superOptions the options of the whole file system
 * @since 0.1.0
 */
public record Mount(
    long id,
    long parentId,
    String device,
    String root,
    Path target,
    Set<String> options,
    String fileSystemType,
    String source,
    Set<String> superOptions) {
  /**
   * Copies the sets.
   *
   * @since 0.1.0
   */
  public Mount {
    options = Set.copyOf(options);
    superOptions = Set.copyOf(superOptions);
  }

  /**
   * Whether writes through this mount are refused, be it by the mount or by its file system.
   *
   * @since 0.1.0
   */
  public boolean readOnly() {
    return options.contains("ro") || superOptions.contains("ro");
  }
}
