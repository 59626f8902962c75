package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.util.Locale;

/**
 * A file system that can be made, checked and grown.
 *
 * @since 0.1.0
 */
public enum FileSystemType {
  /** ext4; needs e2fsprogs. */
  EXT4,
  /** xfs, of at least 300 MiB; needs xfsprogs. */
  XFS;

  /**
   * As mount(8) and a volume capability's {@code fs_type} name it.
   *
   * @since 0.1.0
   */
  public String typeName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The type with this name.
   *
   * @param typeName exactly {@code ext4} or {@code xfs}
   * @throws CsiException INVALID_ARGUMENT for any other
   * @since 0.1.0
   */
  public static FileSystemType of(String typeName) {
    for (FileSystemType type : values()) {
      if (type.typeName().equals(typeName)) {
        return type;
      }
    }
    throw CsiException.invalidArgument("fs_type must be ext4 or xfs");
  }
}
