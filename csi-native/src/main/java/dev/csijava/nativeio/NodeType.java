package dev.csijava.nativeio;

/**
 * What an entry of a directory is.
 *
 * @since 0.1.0
 */
public enum NodeType {
  /** A fifo. */
  FIFO(1),
  /** The node of a character device. */
  CHARACTER_DEVICE(2),
  /** A directory. */
  DIRECTORY(4),
  /** The node of a block device. */
  BLOCK_DEVICE(6),
  /** A regular file. */
  FILE(8),
  /** A symbolic link. */
  LINK(10),
  /** A Unix socket. */
  SOCKET(12),
  /** The file system does not tell with the name; ask for the status. */
  UNKNOWN(0);

  private static final int TYPE_SHIFT = 12;

  private final int number;

  NodeType(int number) {
    this.number = number;
  }

  /** The number that getdents64 uses, which is that of the mode's upper bits. */
  static NodeType ofNumber(int number) {
    for (NodeType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    return UNKNOWN;
  }

  static NodeType ofMode(int mode) {
    return ofNumber((mode >> TYPE_SHIFT) & 0xf);
  }

  /** The bits of a mode that say this type. */
  int modeBits() {
    return number << TYPE_SHIFT;
  }
}
