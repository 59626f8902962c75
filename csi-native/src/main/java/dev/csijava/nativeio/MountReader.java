package dev.csijava.nativeio;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tells of mounts, without touching what is mounted. */
interface MountReader {
  /** Which of its two numbers of a mount this reader takes, in statx's own bits. */
  int kindOfId();

  /** The mount with this number; empty if there is none any more. */
  Optional<Mounted> byId(long id) throws IOException;

  /**
   * The mount with this number and those beneath it at the same place, the topmost last.
   *
   * @return empty if there is no mount with this number any more
   */
  List<Mounted> stackUnder(long id) throws IOException;

  /** The quickest that this kernel has. */
  static MountReader system() {
    return StatmountReader.works() ? new StatmountReader() : new TableReader();
  }
}
