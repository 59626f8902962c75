package dev.csijava.hostpath.store;

import dev.csijava.hostpath.state.Record;
import org.jspecify.annotations.Nullable;

/**
 * Told of each change of the committed records of a store, by the thread that makes it. Safe for
 * use by several threads.
 */
@FunctionalInterface
public interface RecordWatcher {
  /**
   * A record was added ({@code before} is null), deleted ({@code after} is null) or replaced. Must
   * be quick and must not call the store.
   */
  void changed(@Nullable Record before, @Nullable Record after);
}
