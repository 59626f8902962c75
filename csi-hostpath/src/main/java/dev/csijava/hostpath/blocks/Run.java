package dev.csijava.hostpath.blocks;

/**
 * A stretch of a file that is all of one kind.
 *
 * @param start its first byte
 * @param end the first byte behind it
 * @param hole whether it reads as zeros without being looked at
 * @param place where data that files have in common begins on disk, in bytes; {@link #NOWHERE} for
 *     all else
 */
record Run(long start, long end, boolean hole, long place) {
  static final long NOWHERE = -1;

  static Run hole(long start, long end) {
    return new Run(start, end, true, NOWHERE);
  }

  static Run data(long start, long end) {
    return new Run(start, end, false, NOWHERE);
  }

  /** Whether the maps alone tell that both have the same content at an offset that both have. */
  boolean surelyEquals(Run other, long at) {
    if (hole || other.hole) {
      return hole && other.hole;
    }
    return place != NOWHERE
        && other.place != NOWHERE
        && place + (at - start) == other.place + (at - other.start);
  }
}
