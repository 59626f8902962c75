package dev.csijava.benchmarks;

import dev.csijava.core.kubelet.KubeletPaths;
import java.nio.file.Path;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the name of a staging directory cost, which is a hash of the volume's id?
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar StagingPathBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class StagingPathBenchmark {
  private final KubeletPaths paths = KubeletPaths.of("hostpath.csi.k8s.io");

  /** How long the volume's id is. */
  @Param({"36", "128"})
  int length;

  private String handle;

  /** Makes an id. */
  @Setup
  public void setUp() {
    handle = "v".repeat(length);
  }

  /** The hash alone. */
  @Benchmark
  public String hash() {
    return KubeletPaths.volumeHandleHash(handle);
  }

  /** The whole path. */
  @Benchmark
  public Path path() {
    return paths.stagingPath(handle);
  }
}
