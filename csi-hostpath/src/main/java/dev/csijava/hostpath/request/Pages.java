package dev.csijava.hostpath.request;

import com.google.protobuf.MessageLite;
import dev.csijava.core.CsiException;
import dev.csijava.hostpath.state.Record;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Cuts a list that is sorted by id into pages. Immutable. */
public final class Pages {
  /** Below the 4 MiB that a gRPC client takes by default. */
  static final int LARGEST_PAGE_BYTES = 3 << 20;

  // Tag and length of an entry in the list around it.
  private static final int ENTRY_OVERHEAD_BYTES = 6;

  private final String list;

  /**
   * @param list the name of the list: a token of one list is none of another
   */
  public Pages(String list) {
    this.list = list;
  }

  /**
   * The id behind which a page starts; null at the beginning.
   *
   * @throws CsiException ABORTED for a token that was not handed out; INVALID_ARGUMENT for a
   *     negative number of entries
   */
  public @Nullable String start(String startingToken, int maxEntries) {
    if (maxEntries < 0) {
      throw CsiException.invalidArgument("max_entries can't be negative: " + maxEntries);
    }
    return startingToken.isEmpty() ? null : PageToken.lastId(list, startingToken);
  }

  /**
   * Takes one page from the records.
   *
   * @param maxEntries at most so many; 0 for no other bound than the size of a reply
   */
  public <E extends MessageLite> Page<E> cut(
      Stream<Record> records, int maxEntries, Function<Record, E> toEntry) {
    List<E> entries = new ArrayList<>();
    String lastId = "";
    long bytes = 0;
    for (Iterator<Record> rest = records.iterator(); rest.hasNext(); ) {
      Record record = rest.next();
      E entry = toEntry.apply(record);
      bytes += entry.getSerializedSize() + ENTRY_OVERHEAD_BYTES;
      boolean full = maxEntries > 0 && entries.size() == maxEntries;
      if (full || (bytes > LARGEST_PAGE_BYTES && !entries.isEmpty())) {
        return new Page<>(entries, PageToken.of(list, lastId));
      }
      entries.add(entry);
      lastId = record.getId();
    }
    return new Page<>(entries, "");
  }

  /**
   * One page.
   *
   * @param nextToken empty after the last entry
   */
  public record Page<E>(List<E> entries, String nextToken) {
    /** Copies the entries. */
    public Page {
      entries = List.copyOf(entries);
    }
  }
}
