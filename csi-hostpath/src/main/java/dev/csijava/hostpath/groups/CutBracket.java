package dev.csijava.hostpath.groups;

import dev.csijava.hostpath.state.Record;
import java.util.List;

/** Holds volumes still from before the first member of a group is cut until after the last one. */
@FunctionalInterface
public interface CutBracket {
  /** Holds nothing: what is exact then is what nobody changes meanwhile. */
  CutBracket NONE = volumes -> () -> {};

  /**
   * Called before the first cut.
   *
   * @param volumes the sources, in the order of their ids
   * @return what is closed after the last cut, whether it succeeded or not, maybe twice
   * @throws dev.csijava.core.CsiException if one can't be held; none is then, and nothing is cut
   */
  Held hold(List<Record> volumes);

  /** Volumes that are held still. */
  interface Held extends AutoCloseable {
    /** Lets them go on; never fails, and does nothing the second time. */
    @Override
    void close();
  }
}
