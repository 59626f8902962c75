package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kubelet and the sidecars connect anew for every call (field bug B175). */
class ConnectionRoundsTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int WARM_UP = 300;

  // The oldest JDK gets fewer: what could leak is the same code, and the rounds take their time.
  private static final int ROUNDS = Runtime.version().feature() >= 25 ? 10_000 : 1_000;

  @Test
  void b175RoundsOfConnectCallCloseLeaveNothingBehind() throws Exception {
    run(ROUNDS);
  }

  private static void run(int rounds) throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "needs Linux' /proc/self/fd to count descriptors");
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      rounds(served, WARM_UP);
      Footprint before = Footprint.settled(Long.MAX_VALUE);
      rounds(served, rounds);
      Footprint after = Footprint.settled(before.descriptors());
      assertThat(after.descriptors()).as("descriptors").isLessThanOrEqualTo(before.descriptors());
      assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 2);
      // 128 bytes a round would be a leak; what is allowed beside it is noise of the collector.
      assertThat(after.heapBytes() - before.heapBytes())
          .as("heap in bytes")
          .isLessThan(128L * rounds + (1 << 20));
      assertThat(after.directBytes() - before.directBytes())
          .as("direct memory in bytes")
          .isLessThan(4 << 20);
    }
  }

  private static void rounds(ServedDriver served, int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      ManagedChannel channel = served.channel();
      if (i % 2 == 0) {
        assertThat(
                IdentityGrpc.newBlockingStub(channel)
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue())
            .isTrue();
      } else {
        assertThat(
                NodeGrpc.newBlockingStub(channel)
                    .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesCount())
            .isPositive();
      }
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
