package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kubelet and the sidecars connect anew for every call (field bug B175). */
class ConnectionRoundsTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int WARM_UP = 300;

  // The oldest JDK gets fewer: what could leak is the same code, and the rounds take their time.
  private static final int ROUNDS = Runtime.version().feature() >= 25 ? 10_000 : 1_000;

  /**
   * Of these only a few: what may leak is the server's, and this client makes and drops threads.
   */
  private static final int ROUNDS_OF_GRPC = 200;

  private static final HandWrittenCall PROBE = new HandWrittenCall("csi.v1.Identity/Probe", null);
  private static final HandWrittenCall CAPABILITIES =
      new HandWrittenCall("csi.v1.Node/NodeGetCapabilities", "localhost");

  private final AtomicInteger answered = new AtomicInteger();
  private int asked;

  @Test
  void b175RoundsOfConnectCallCloseLeaveNothingBehind() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "needs Linux' /proc/self/fd to count descriptors");
    CallListener listener =
        new CallListener() {
          @Override
          public void started(CallContext call) {}

          @Override
          public void finished(CallContext call, Status.Code code, Duration elapsed) {
            if (code == Status.Code.OK) {
              answered.incrementAndGet();
            }
          }
        };
    try (ServedDriver served =
        ServedDriver.start(
            new EveryCapability().driver().build(), builder -> builder.listener(listener))) {
      roundsOfGrpc(served);
      rounds(served, WARM_UP);
      Footprint before = Footprint.settled(Long.MAX_VALUE);
      rounds(served, ROUNDS);
      roundsOfGrpc(served);
      Footprint after = Footprint.settled(before.descriptors());
      awaitAnswered(WARM_UP + ROUNDS + asked);
      assertThat(answered).hasValue(WARM_UP + ROUNDS + asked);
      assertThat(after.descriptors()).as("descriptors").isLessThanOrEqualTo(before.descriptors());
      // A thread a round would be a leak; a pool grows by some where some of its threads stall.
      assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 16);
      // 128 bytes a round would be a leak; what is allowed beside it is noise of the collector.
      assertThat(after.heapBytes() - before.heapBytes())
          .as("heap in bytes")
          .isLessThan(128L * ROUNDS + (1 << 20));
      assertThat(after.directBytes() - before.directBytes())
          .as("direct memory in bytes")
          .isLessThan(4 << 20);
    }
  }

  /** Of the last call the driver may be told after its caller was. */
  private void awaitAnswered(int calls) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (answered.get() < calls && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
  }

  private static void rounds(ServedDriver served, int rounds) throws IOException {
    for (int i = 0; i < rounds; i++) {
      HandWrittenCall call = i % 2 == 0 ? PROBE : CAPABILITIES;
      assertThat(call.send(served.socket())).as("bytes of the answer").isGreaterThan(5);
    }
  }

  /** As a caller of gRPC's does it, who says good-bye. */
  private void roundsOfGrpc(ServedDriver served) throws InterruptedException {
    for (int i = 0; i < ROUNDS_OF_GRPC; i++) {
      ManagedChannel channel = served.channel();
      asked += Probes.awaitReady(channel);
      channel.shutdownNow();
      assertThat(channel.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private record Footprint(long descriptors, int threads, long heapBytes, long directBytes) {
    /** Connections are closed in the background, so it may take a moment. */
    static Footprint settled(long wantedDescriptors) throws IOException, InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (descriptorsNow() > wantedDescriptors && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
      for (int i = 0; i < 3; i++) {
        System.gc();
        Thread.sleep(100);
      }
      return new Footprint(
          descriptorsNow(),
          Thread.activeCount(),
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .mapToLong(BufferPoolMXBean::getMemoryUsed)
              .sum());
    }

    private static long descriptorsNow() throws IOException {
      try (Stream<Path> open = Files.list(DESCRIPTORS)) {
        return open.count();
      }
    }
  }
}
