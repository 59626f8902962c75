package dev.csijava.hostpath.backing;

import java.util.List;

/** Something that is held still for a cut; closing it again does nothing. */
public interface CutHold extends AutoCloseable {
  /** Lets it go on; never fails. */
  @Override
  void close();

  /** The one closed after the other, the last one first. */
  static CutHold all(List<CutHold> holds) {
    List<CutHold> reversed = List.copyOf(holds).reversed();
    return () -> reversed.forEach(CutHold::close);
  }
}
