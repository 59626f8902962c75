package dev.csijava.hostpath.store;

import dev.csijava.hostpath.state.Record;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Those of the committed records that have something, kept up to date: so that whoever needs a few
 * of very many need not look at all. Safe for use by several threads.
 */
public final class RecordSelection {
  private final ObjectStore store;
  private final Predicate<Record> having;
  private final Set<String> ids = new ConcurrentSkipListSet<>();

  /**
   * @param store which it watches from now on; made before calls come
   * @param having what they have; must be quick
   */
  public RecordSelection(ObjectStore store, Predicate<Record> having) {
    this.store = store;
    this.having = having;
    store.watch(this::changed);
  }

  private void changed(@Nullable Record before, @Nullable Record after) {
    if (after != null && having.test(after)) {
      ids.add(after.getId());
    } else if (before != null) {
      ids.remove(before.getId());
    }
  }

  /** How many there are. */
  public int size() {
    return ids.size();
  }

  /** In the order of their ids; a live view. */
  public Stream<Record> stream() {
    return ids.stream().flatMap(id -> store.byId(id).stream());
  }
}
