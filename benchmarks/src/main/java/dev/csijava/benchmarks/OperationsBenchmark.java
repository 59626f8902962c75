package dev.csijava.benchmarks;

import com.google.protobuf.Message;
import dev.csijava.core.operation.Completion;
import dev.csijava.core.operation.Fingerprint;
import dev.csijava.core.operation.OperationKeys;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.core.operation.Operations;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What does the engine of operations cost under contention: locks of different volumes, of one
 * volume, and identical calls, which are joined? The work itself is a microsecond or so.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar OperationsBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class OperationsBenchmark {
  private static final long WORK = 500;
  private static final NodeStageVolumeResponse DONE = NodeStageVolumeResponse.getDefaultInstance();

  /** What the calls of several threads have in common. */
  @Param Calls calls;

  private Operations operations;

  /** The kinds. */
  public enum Calls {
    /** Nothing: each thread has a volume of its own. */
    DIFFERENT_VOLUMES,
    /** The volume, at another path in each thread: one after the other. */
    SAME_VOLUME,
    /** All: they are joined. */
    IDENTICAL
  }

  /** An engine that waits long enough. */
  @Setup
  public void setUp() {
    operations = new Operations(OperationSettings.defaults().withLockWait(Duration.ofMinutes(1)));
  }

  /** The call of one thread. */
  @State(Scope.Thread)
  public static class OfThread {
    private NodeStageVolumeRequest request = NodeStageVolumeRequest.getDefaultInstance();

    /** By the kind of calls. */
    @Setup
    public void setUp(OperationsBenchmark benchmark, ThreadParams threads) {
      int number = threads.getThreadIndex();
      boolean identical = benchmark.calls == Calls.IDENTICAL;
      boolean ownVolume = benchmark.calls == Calls.DIFFERENT_VOLUMES;
      request =
          NodeStageVolumeRequest.newBuilder()
              .setVolumeId("volume-" + (ownVolume ? number : 0))
              .setStagingTargetPath("/staging/" + (identical ? 0 : number) + "/globalmount")
              .build();
    }
  }

  /** Alone. */
  @Benchmark
  @Threads(1)
  public Message oneThread(OfThread mine) {
    return run(mine.request);
  }

  /** As many threads as the machine that the targets are for has processors. */
  @Benchmark
  @Threads(2)
  public Message twoThreads(OfThread mine) {
    return run(mine.request);
  }

  /** More threads than processors. */
  @Benchmark
  @Threads(8)
  public Message eightThreads(OfThread mine) {
    return run(mine.request);
  }

  private Message run(NodeStageVolumeRequest request) {
    CompletableFuture<Message> answer = new CompletableFuture<>();
    operations.run(
        OperationKeys.of(request),
        Fingerprint.of(request),
        () -> {
          Blackhole.consumeCPU(WORK);
          return DONE;
        },
        new Answered(answer));
    return answer.join();
  }

  private record Answered(CompletableFuture<Message> answer)
      implements Completion<NodeStageVolumeResponse> {
    @Override
    public void succeeded(NodeStageVolumeResponse response) {
      answer.complete(response);
    }

    @Override
    public void failed(Throwable failure) {
      answer.completeExceptionally(failure);
    }
  }
}
