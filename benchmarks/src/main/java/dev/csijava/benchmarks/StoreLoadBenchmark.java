package dev.csijava.benchmarks;

import dev.csijava.hostpath.store.StateDirectory;
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
 * How long does it take to read the state directory at a start, by how many volumes there are? The
 * records are in the page cache, and the code is warm after the first; what a whole start takes is
 * measured by {@code bin/bench restart}.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar StoreLoadBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class StoreLoadBenchmark {
  /** How many volumes there are. */
  @Param({"10", "1000", "100000"})
  int volumes;

  private FilledState filled;

  /** Makes the volumes. */
  @Setup
  public void setUp() throws IOException {
    filled = FilledState.make(volumes);
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    filled.close();
  }

  /** All records, read and indexed. */
  @Benchmark
  public int load() throws IOException {
    try (StateDirectory state = filled.open()) {
      return state.volumes().size();
    }
  }
}
