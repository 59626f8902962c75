package dev.csijava.benchmarks;

import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does attaching an image as a block device and releasing it cost?
 *
 * <pre>unshare -m java -jar benchmarks/target/benchmarks.jar LoopBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class LoopBenchmark {
  private static final int SIZE = 4 << 20;

  private final LoopDevices loops = LoopDevices.system();
  private Path image;

  /** Makes the image. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    image = Files.createTempFile("csi-benchmark", ".img");
    Files.write(image, new byte[SIZE]);
  }

  /** Leaves nothing. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    loops.detach(image);
    Files.delete(image);
  }

  /** Once each. */
  @Benchmark
  public LoopDevice attachAndDetach() {
    LoopDevice device = loops.attach(image, false);
    loops.detach(image);
    return device;
  }
}
