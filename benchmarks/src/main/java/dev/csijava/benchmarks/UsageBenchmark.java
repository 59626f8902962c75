package dev.csijava.benchmarks;

import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * What does measuring a volume cost?
 *
 * <pre>unshare -m java -jar benchmarks/target/benchmarks.jar UsageBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class UsageBenchmark {
  @Param Way way;

  private BusyNode node;
  private UsageReader reader;

  /** Mounts the volume. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    node = new BusyNode(1);
    reader = way.usageReader();
  }

  /** Leaves nothing. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    node.close();
  }

  /** Bytes and inodes of a published volume. */
  @Benchmark
  public VolumeUsage measure() {
    return reader.ofFileSystem(node.target(0));
  }
}
