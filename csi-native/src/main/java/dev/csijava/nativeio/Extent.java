package dev.csijava.nativeio;

/**
 * A run of a file's content that lies in one piece on disk.
 *
 * @param offset where it begins in the file, in bytes
 * @param length in bytes
 * @param place where it begins on disk, in bytes; means something only if {@code placed}
 * @param unwritten whether it is reserved, but reads as zeros
 * @param shared whether another file, or this one elsewhere, has it in common (reflink)
 * @param placed whether {@code place} is known and exact: two files that have the same place in
 *     common have the same content there
 * @since 0.1.0
 */
public record Extent(
    long offset, long length, long place, boolean unwritten, boolean shared, boolean placed) {
  /**
   * The first offset behind it.
   *
   * @since 0.1.0
   */
  public long end() {
    return offset + length;
  }
}
