package dev.csijava.benchmarks;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.util.Optional;
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
 * What does it cost to ask for one path, and to read the whole table, by the number of mounts?
 *
 * <pre>unshare -m java -jar benchmarks/target/benchmarks.jar LookUpBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class LookUpBenchmark {
  @Param({"10", "100", "1000", "10000"})
  int mounts;

  private BusyNode node;
  private Mounter mounter;

  /** Mounts the others. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    node = new BusyNode(mounts);
    mounter = Way.NATIVE.mounter();
  }

  /** Leaves nothing. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    node.close();
  }

  /** Is anything mounted there? Nothing is. */
  @Benchmark
  public Optional<Mount> askForNoMountPoint() {
    return mounter.mountAt(node.freeTarget());
  }

  /** What is mounted there? Something is. */
  @Benchmark
  public Optional<Mount> askForMountPoint() {
    return mounter.mountAt(node.target(0));
  }

  /** Does this path show that volume? */
  @Benchmark
  public boolean askWhetherItIsTheVolume() {
    return mounter.isMountOf(node.volume(), node.target(0));
  }

  /** The same question by reading the table, as mounting by programs has to. */
  @Benchmark
  public Optional<Mount> readTheTable() throws IOException {
    return MountTable.read().at(node.target(0));
  }
}
