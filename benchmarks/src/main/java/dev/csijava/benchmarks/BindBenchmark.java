package dev.csijava.benchmarks;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountOptions.Flag;
import dev.csijava.core.mount.Mounter;
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
 * What does publishing a volume and taking it away cost in mounts, and does it depend on how many
 * others there are?
 *
 * <pre>unshare -m java -jar benchmarks/target/benchmarks.jar BindBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class BindBenchmark {
  @Param Way way;

  @Param({"10", "100", "1000", "10000"})
  int mounts;

  private BusyNode node;
  private Mounter mounter;

  /** Mounts the others. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    node = new BusyNode(mounts);
    mounter = way.mounter();
  }

  /** Leaves nothing. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    node.close();
  }

  /** One read-only bind and its unmount. */
  @Benchmark
  public void bindAndUnmount() {
    mounter.bind(node.volume(), node.freeTarget(), MountOptions.of(Flag.RO));
    mounter.unmount(node.freeTarget());
  }
}
