package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Attributes;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lanes on a system that gives no more threads, as where a container may have few processes. */
class LanesTest {
  private final AtomicBoolean noThreads = new AtomicBoolean(true);
  private final ThreadFactory factory =
      task -> {
        if (noThreads.get()) {
          throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task);
      };
  private final HandlerPool pool = new HandlerPool(4, 4, factory);
  private final Lanes lanes = new Lanes(pool, 1, 4);

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void aCallThatGetsNoThreadIsRefusedAndLeavesItsPlaceToTheNext() throws Exception {
    CsiException refusal =
        catchThrowableOfType(CsiException.class, () -> lanes.execute("volume v", call(), () -> {}));
    assertThat(refusal.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refusal)
        .hasMessageContaining("no thread for the call (unable to create native thread)");
    assertThat(lanes.size()).as("lanes that are taken").isZero();
    noThreads.set(false);
    AtomicBoolean ran = new AtomicBoolean();
    lanes.execute("volume v", call(), () -> ran.set(true));
    assertThat(pool.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(ran).isTrue();
  }

  @Test
  void aCallInACloseDriverHearsThatItShutsDown() throws Exception {
    assertThat(pool.drain(Duration.ZERO)).isTrue();
    CsiException refusal =
        catchThrowableOfType(CsiException.class, () -> lanes.execute("volume v", call(), () -> {}));
    assertThat(refusal.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("shutting down");
    assertThat(lanes.size()).isZero();
  }

  private static Call call() {
    Rpc rpc = Rpc.NODE_GET_VOLUME_STATS;
    return new Call(
        rpc,
        ValidRequests.stats().build(),
        new ServerCallContext(rpc, null, Attributes.EMPTY),
        new NoReply());
  }
}
