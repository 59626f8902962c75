package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedLocksTest {
  private static final Duration LONG = Duration.ofSeconds(Calls.SECONDS);

  private final KeyedLocks locks = new KeyedLocks();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void nothingIsLeftBehind() {
    threads.shutdownNow();
    assertThat(locks.size()).isZero();
  }

  @Test
  void sharedGoesWithSharedAndExclusiveWithNothing() throws Exception {
    KeyedLocks.Ticket one = now(shared("a"));
    KeyedLocks.Ticket two = now(shared("a"));
    assertThat(one.isGranted()).isTrue();
    assertThat(two.isGranted()).isTrue();
    assertThat(now(exclusive("a")).isGranted()).isFalse();
    locks.release(one);
    assertThat(now(exclusive("a")).isGranted()).isFalse();
    locks.release(two);
    KeyedLocks.Ticket alone = now(exclusive("a"));
    assertThat(alone.isGranted()).isTrue();
    assertThat(now(shared("a")).isGranted()).isFalse();
    locks.release(alone);
  }

  @Test
  void allKeysAreTakenOrNone() throws Exception {
    KeyedLocks.Ticket b = now(exclusive("b"));
    assertThat(now(exclusive("a", "b", "c")).isGranted()).isFalse();
    KeyedLocks.Ticket rest = now(exclusive("a", "c"));
    assertThat(rest.isGranted()).isTrue();
    locks.release(rest);
    locks.release(b);
  }

  @Test
  void oneKeyNamedTwiceCountsAsExclusive() throws Exception {
    OperationKeys both =
        new OperationKeys.Builder("Test")
            .exclusive(LockKey.Facet.PATH, "a")
            .shared(LockKey.Facet.PATH, "a")
            .build();
    KeyedLocks.Ticket ticket = now(both);
    assertThat(ticket.isGranted()).isTrue();
    assertThat(now(shared("a")).isGranted()).isFalse();
    locks.release(ticket);
  }

  @Test
  void thoseWhoWaitAreServedInTheOrderOfTheirArrival() throws Exception {
    KeyedLocks.Ticket first = now(exclusive("a"));
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      waiting.add(threads.submit(() -> holding(exclusive("a"), () -> order.add(number))));
      awaitQueue("a", i + 2);
    }
    locks.release(first);
    finish(waiting);
    assertThat(order).isEqualTo(IntStream.range(0, 10).boxed().toList());
  }

  @Test
  void aReaderDoesNotOvertakeAWriterThatWaits() throws Exception {
    KeyedLocks.Ticket reader = now(shared("a"));
    Future<?> writer = threads.submit(() -> holding(exclusive("a"), () -> {}));
    awaitQueue("a", 2);
    KeyedLocks.Ticket late = now(shared("a"));
    assertThat(late.isGranted()).isFalse();
    assertThat(late.obstacle()).startsWith("path a is busy: Test has waited for it for ");
    locks.release(reader);
    finish(List.of(writer));
  }

  @Test
  void readersBehindAWriterThatGaveUpGoOnAtOnce() throws Exception {
    KeyedLocks.Ticket reader = now(shared("a"));
    Thread writer =
        new Thread(
            () ->
                assertThatThrownBy(() -> locks.acquire(exclusive("a"), LONG))
                    .isInstanceOf(InterruptedException.class));
    writer.start();
    awaitQueue("a", 2);
    Future<?> late = threads.submit(() -> holding(shared("a"), () -> {}));
    awaitQueue("a", 3);
    writer.interrupt();
    finish(List.of(late));
    locks.release(reader);
  }

  @Test
  void readersBehindAWriterAllGoWhenItIsDone() throws Exception {
    KeyedLocks.Ticket writer = now(exclusive("a"));
    CountDownLatch together = new CountDownLatch(5);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      readers.add(
          threads.submit(
              () ->
                  holding(
                      shared("a"),
                      () -> {
                        together.countDown();
                        Calls.await(together);
                      })));
    }
    awaitQueue("a", 6);
    locks.release(writer);
    finish(readers);
  }

  @Test
  void aWriterGetsItsTurnAmongReadersThatNeverPause() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          threads.submit(
              () -> {
                while (!stop.get()) {
                  holding(shared("a"), Thread::onSpinWait);
                }
              }));
    }
    for (int i = 0; i < 100; i++) {
      holding(exclusive("a"), () -> {});
    }
    stop.set(true);
    finish(readers);
  }

  @Test
  void oppositeOrdersOfKeysDoNotBlockEachOtherForEver() throws Exception {
    List<Future<?>> both = new ArrayList<>();
    for (OperationKeys keys : List.of(exclusive("a", "b", "c"), exclusive("c", "b", "a"))) {
      both.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  holding(keys, () -> {});
                }
              }));
    }
    finish(both);
  }

  @Test
  void theObstacleNamesWhoRunsRatherThanWhoWaits() throws Exception {
    KeyedLocks.Ticket reader = now(keys("Reader", false, "a"));
    Future<?> waiting = threads.submit(() -> holding(keys("Waiting", true, "a"), () -> {}));
    awaitQueue("a", 2);
    assertThat(now(exclusive("a")).obstacle())
        .matches("path a is busy: Reader has been at it for \\d+ ms");
    locks.release(reader);
    finish(List.of(waiting));
  }

  @Test
  void aMillionNamesLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 1_000_000; i++) {
      KeyedLocks.Ticket ticket = now(exclusive("name-" + i));
      assertGranted(ticket);
      locks.release(ticket);
    }
    assertThat(locks.size()).isZero();
  }

  @Test
  void differentKeysNeverConflict() throws Exception {
    List<KeyedLocks.Ticket> held = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      KeyedLocks.Ticket ticket = now(exclusive("key-" + i));
      assertGranted(ticket);
      held.add(ticket);
    }
    assertThat(locks.size()).isEqualTo(20_000);
    held.forEach(locks::release);
  }

  private static void assertGranted(KeyedLocks.Ticket ticket) {
    if (!ticket.isGranted()) {
      throw new AssertionError(ticket.obstacle());
    }
  }

  private KeyedLocks.Ticket now(OperationKeys keys) throws InterruptedException {
    return locks.acquire(keys, Duration.ZERO);
  }

  private void holding(OperationKeys keys, Runnable work) {
    try {
      KeyedLocks.Ticket ticket = locks.acquire(keys, LONG);
      assertGranted(ticket);
      try {
        work.run();
      } finally {
        locks.release(ticket);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private void awaitQueue(String key, int length) {
    Calls.awaitUntil(() -> locks.size(new LockKey(LockKey.Facet.PATH, key)) == length);
  }

  private static void finish(List<Future<?>> calls) throws Exception {
    for (Future<?> call : calls) {
      call.get(Calls.SECONDS, TimeUnit.SECONDS);
    }
  }

  private static OperationKeys shared(String... ids) {
    return keys("Test", false, ids);
  }

  private static OperationKeys exclusive(String... ids) {
    return keys("Test", true, ids);
  }

  private static OperationKeys keys(String rpc, boolean exclusive, String... ids) {
    OperationKeys.Builder keys = new OperationKeys.Builder(rpc);
    for (String id : ids) {
      if (exclusive) {
        keys.exclusive(LockKey.Facet.PATH, id);
      } else {
        keys.shared(LockKey.Facet.PATH, id);
      }
    }
    return keys.build();
  }
}
