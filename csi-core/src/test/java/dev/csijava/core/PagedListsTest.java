package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import io.grpc.Attributes;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paged lists of drivers that page well, badly or not at all (rule K13). */
class PagedListsTest {
  private final List<String> ids =
      new ArrayList<>(IntStream.range(0, 20).mapToObj("vol-%03d"::formatted).toList());
  private final List<ListVolumesRequest> asked = new ArrayList<>();
  private int contextBytes;

  /** Pages by the index of the first entry, or sends everything if pageSize is zero. */
  private Handler.Unary<Message, Message> driver(int pageSize, String tokenPrefix) {
    Handlers handlers = new Handlers();
    handlers.<ListVolumesRequest, ListVolumesResponse>unary(
        Rpc.LIST_VOLUMES,
        (request, call) -> {
          asked.add(request);
          String token = request.getStartingToken();
          int first = token.isEmpty() ? 0 : Integer.parseInt(token.substring(tokenPrefix.length()));
          int own = pageSize == 0 ? ids.size() : pageSize;
          int most = request.getMaxEntries() == 0 ? own : Math.min(own, request.getMaxEntries());
          int end = Math.min(ids.size(), first + most);
          ListVolumesResponse.Builder page = ListVolumesResponse.newBuilder();
          ids.subList(Math.min(first, end), end).forEach(id -> page.addEntries(entry(id)));
          return (end < ids.size() ? page.setNextToken(tokenPrefix + end) : page).build();
        });
    PagedLists.keep(handlers);
    return unary(handlers);
  }

  @SuppressWarnings("unchecked")
  private static Handler.Unary<Message, Message> unary(Handlers handlers) {
    return (Handler.Unary<Message, Message>) handlers.find(Rpc.LIST_VOLUMES).orElseThrow();
  }

  private ListVolumesResponse.Entry entry(String id) {
    return ListVolumesResponse.Entry.newBuilder()
        .setVolume(
            Volume.newBuilder().setVolumeId(id).putVolumeContext("k", "x".repeat(contextBytes)))
        .build();
  }

  private static ListVolumesResponse page(
      Handler.Unary<Message, Message> driver, String token, int maxEntries) {
    ListVolumesRequest request =
        ListVolumesRequest.newBuilder().setStartingToken(token).setMaxEntries(maxEntries).build();
    return (ListVolumesResponse)
        driver.handle(request, new ServerCallContext(Rpc.LIST_VOLUMES, null, Attributes.EMPTY));
  }

  private static List<String> idsOf(ListVolumesResponse page) {
    return page.getEntriesList().stream().map(entry -> entry.getVolume().getVolumeId()).toList();
  }

  private List<String> all(Handler.Unary<Message, Message> driver, int maxEntries) {
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      ListVolumesResponse page = page(driver, token, maxEntries);
      assertThat(page.getSerializedSize()).isLessThan(4 << 20);
      if (maxEntries > 0) {
        assertThat(page.getEntriesCount()).isLessThanOrEqualTo(maxEntries);
      }
      assertThat(page.getNextToken()).isNotEqualTo(token.isEmpty() ? "-" : token);
      assertThat(page.getNextToken().length()).isLessThanOrEqualTo(128);
      seen.addAll(idsOf(page));
      token = page.getNextToken();
    } while (!token.isEmpty());
    return seen;
  }

  @Test
  void aListThatFitsIsPassedOnAsItIs() {
    ListVolumesResponse page = page(driver(0, ""), "", 0);
    assertThat(idsOf(page)).isEqualTo(ids);
    assertThat(page.getNextToken()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 20, 21})
  void b142EveryEntryIsListedOnceWhateverThePageSize(int maxEntries) {
    for (int pageSize : new int[] {0, 1, 5, 20}) {
      assertThat(all(driver(pageSize, "t"), maxEntries)).isEqualTo(ids);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7})
  void b144PagesTooLargeForACallerAreCutAndNothingIsLost(int maxEntries) {
    contextBytes = 400_000;
    for (int pageSize : new int[] {0, 12, 20}) {
      asked.clear();
      assertThat(all(driver(pageSize, "t"), maxEntries)).isEqualTo(ids);
      assertThat(asked).hasSizeGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void oneEntryThatIsTooLargeIsSentAlone() {
    contextBytes = 3_500_000;
    Handler.Unary<Message, Message> driver = driver(0, "");
    ListVolumesResponse page = page(driver, "", 0);
    assertThat(idsOf(page)).containsExactly("vol-000");
    assertThat(idsOf(page(driver, page.getNextToken(), 0))).containsExactly("vol-001");
  }

  @Test
  void aCutPageGoesOnBehindItsLastEntryAlsoIfEarlierOnesAreDeleted() {
    contextBytes = 400_000;
    Handler.Unary<Message, Message> driver = driver(0, "");
    ListVolumesResponse page = page(driver, "", 0);
    List<String> rest = ids.subList(page.getEntriesCount(), ids.size());
    List<String> expected = List.copyOf(rest);
    ids.remove(0);
    ids.remove(0);
    assertThat(idsOf(page(driver, page.getNextToken(), 0)))
        .isSubsetOf(expected)
        .startsWith(expected.get(0));
  }

  @Test
  void aCutPageWhoseLastEntryIsGoneIsAskedForAgainFromTheBeginning() {
    contextBytes = 400_000;
    Handler.Unary<Message, Message> driver = driver(0, "");
    ListVolumesResponse page = page(driver, "", 0);
    ids.remove(page.getEntriesCount() - 1);
    refused(driver, page.getNextToken(), Status.Code.ABORTED, "gone meanwhile");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"zzz", "0", "-1", "99999999999999999999", "wAAAAAAAA", "c1234567890123456"})
  @Proves("CTRL-LISTVOL-009")
  void b139ATokenThatWasNeverHandedOutIsAbortedAndTheDriverIsNotAsked(String token) {
    refused(driver(5, ""), token, Status.Code.ABORTED, "list again");
    assertThat(asked).isEmpty();
  }

  @Test
  void aTokenOfAnotherListIsAborted() {
    String token = PageToken.whole("5").write(Rpc.LIST_SNAPSHOTS.title());
    refused(driver(5, ""), token, Status.Code.ABORTED, "list again");
  }

  @Test
  void aLongTokenOfTheDriverPassesUnchanged() {
    String prefix = "p".repeat(124);
    Handler.Unary<Message, Message> driver = driver(5, prefix);
    assertThat(page(driver, "", 0).getNextToken()).isEqualTo(prefix + 5);
    assertThat(all(driver, 0)).isEqualTo(ids);
    contextBytes = 1_000_000;
    refused(driver(10, prefix), prefix + 5, Status.Code.INTERNAL, "smaller pages");
  }

  private static void refused(
      Handler.Unary<Message, Message> driver, String token, Status.Code code, String words) {
    CsiException refusal = catchThrowableOfType(CsiException.class, () -> page(driver, token, 0));
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal).hasMessageContaining(words);
  }
}
