package dev.csijava.core;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Objects;

/**
 * Keeps the contract of paged lists, whatever the driver does (rule K13): no reply passes what a
 * caller takes by default, also where the caller asked for everything at once, and a starting_token
 * that was not handed out is refused. A page that is too large is cut; what follows is asked of the
 * driver again and sent with the next page.
 */
final class PagedLists {
  /** Below the 4 MiB that a gRPC client takes by default. */
  static final int LARGEST_PAGE_BYTES = 3 << 20;

  // Tag and length of an entry in the list around it.
  private static final int ENTRY_OVERHEAD_BYTES = 6;

  private final Rpc rpc;
  private final List<String> idPath;

  private PagedLists(Rpc rpc, String... idPath) {
    this.rpc = rpc;
    this.idPath = List.of(idPath);
  }

  static void keep(Handlers handlers) {
    new PagedLists(Rpc.LIST_VOLUMES, "volume", "volume_id").decorate(handlers);
    new PagedLists(Rpc.LIST_SNAPSHOTS, "snapshot", "snapshot_id").decorate(handlers);
    new PagedLists(Rpc.CONTROLLER_LIST_VOLUME_HEALTH, "volume_id").decorate(handlers);
  }

  private void decorate(Handlers handlers) {
    handlers.<Message, Message>decorate(
        rpc, inner -> (request, call) -> list(inner, request, call));
  }

  private Message list(Handler.Unary<Message, Message> inner, Message request, CallContext call) {
    PageToken start = PageToken.read(rpc.title(), text(request, "starting_token"));
    Message.Builder asked =
        request.toBuilder().setField(field(request, "starting_token"), start.driverToken());
    if (start.isCut()) {
      // The driver's page is wanted again as it was, whatever this page may hold.
      asked.setField(field(request, "max_entries"), 0);
    }
    Message page = inner.handle(asked.build(), call);
    if (page == null) {
      throw new IllegalStateException("the handler of " + rpc + " returned null");
    }
    return cut(page, start, (Integer) request.getField(field(request, "max_entries")));
  }

  private Message cut(Message page, PageToken start, int maxEntries) {
    FieldDescriptor entries = field(page, "entries");
    int count = page.getRepeatedFieldCount(entries);
    int first = start.isCut() ? behindLast(page, entries, start) : 0;
    int end = first;
    long bytes = 0;
    // Only what was cut here is counted here: how many a driver sends is checked by a rule.
    int most = start.isCut() && maxEntries > 0 ? maxEntries : count;
    while (end < count && end - first < most) {
      bytes += entry(page, entries, end).getSerializedSize() + ENTRY_OVERHEAD_BYTES;
      if (bytes > LARGEST_PAGE_BYTES && end > first) {
        break;
      }
      end++;
    }
    FieldDescriptor nextToken = field(page, "next_token");
    String next = text(page, "next_token");
    if (first == 0 && end == count) {
      return next.isEmpty()
          ? page
          : page.toBuilder().setField(nextToken, PageToken.whole(next).write(rpc.title())).build();
    }
    Message.Builder part = page.toBuilder().clearField(entries).clearField(nextToken);
    for (int i = first; i < end; i++) {
      part.addRepeatedField(entries, page.getRepeatedField(entries, i));
    }
    if (end < count) {
      part.setField(nextToken, rest(start, id(entry(page, entries, end - 1))));
    } else if (!next.isEmpty()) {
      part.setField(nextToken, PageToken.whole(next).write(rpc.title()));
    }
    return part.build();
  }

  private String rest(PageToken start, String lastId) {
    PageToken rest = start.behind(lastId);
    if (!rest.fits()) {
      throw CsiException.internal(
          "the driver is at fault: its "
              + rpc.title()
              + " page is larger than callers take, and its token is too long to cut the page for"
              + " it; it must send smaller pages",
          null);
    }
    return rest.write(rpc.title());
  }

  private int behindLast(Message page, FieldDescriptor entries, PageToken start) {
    for (int i = 0; i < page.getRepeatedFieldCount(entries); i++) {
      if (start.endedWith(id(entry(page, entries, i)))) {
        return i + 1;
      }
    }
    // A guess would leave out an object that was there all the time.
    throw CsiException.aborted(
        "what the last page ended with is gone meanwhile; list again without a starting_token");
  }

  private String id(Message entry) {
    Message message = entry;
    for (String step : idPath.subList(0, idPath.size() - 1)) {
      message = (Message) message.getField(field(message, step));
    }
    return text(message, idPath.get(idPath.size() - 1));
  }

  private static Message entry(Message page, FieldDescriptor entries, int index) {
    return (Message) page.getRepeatedField(entries, index);
  }

  private static String text(Message message, String name) {
    return (String) message.getField(field(message, name));
  }

  private static FieldDescriptor field(Message message, String name) {
    return Objects.requireNonNull(message.getDescriptorForType().findFieldByName(name), name);
  }
}
