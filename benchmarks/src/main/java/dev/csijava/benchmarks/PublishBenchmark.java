package dev.csijava.benchmarks;

import com.google.protobuf.Message;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does NodePublishVolume with NodeUnpublishVolume of a staged volume cost over the socket, by
 * system calls and by mount(8), against a pair of calls that do nothing with the bare system calls
 * after them, and does it depend on how many mounts the node has and how many volumes the driver?
 *
 * <pre>unshare -m java -jar benchmarks/target/benchmarks.jar PublishBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 5, time = 2)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class PublishBenchmark {
  /** From one process to the next the same code may take twice as long. */
  private static final int FORKS = 3;

  /** What else there is. */
  @Param Node node;

  private PublishedNode published;

  /** The nodes. */
  public enum Node {
    /** Ten mounts, ten volumes. */
    SMALL(10, 10),
    /** Ten thousand mounts. */
    MANY_MOUNTS(10_000, 10),
    /** A hundred thousand volumes. */
    MANY_VOLUMES(10, 100_000);

    private final int mounts;
    private final int volumes;

    Node(int mounts, int volumes) {
      this.mounts = mounts;
      this.volumes = volumes;
    }
  }

  /** Serves the driver and stages one volume. */
  @Setup
  public void setUp() throws IOException {
    published = new PublishedNode(node.mounts, node.volumes);
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    published.close();
  }

  /** By the driver, with system calls. */
  @Benchmark
  @Fork(value = FORKS, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
  public Message bySystemCalls() {
    published.publish();
    return published.unpublish();
  }

  /** By the driver, with mount(8) and umount(8). */
  @Benchmark
  @Fork(value = FORKS, jvmArgsAppend = "--illegal-native-access=deny")
  public Message byPrograms() {
    published.publish();
    return published.unpublish();
  }

  /** What can't be saved. */
  @Benchmark
  @Fork(value = FORKS, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
  public Message emptyCallsAndBareSystemCalls() {
    return published.emptyCallsAndBareSystemCalls();
  }
}
