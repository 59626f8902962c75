package dev.csijava.benchmarks;

import dev.csijava.hostpath.copy.Copiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * How long does a copy of a volume take until it is on disk: blocks shared, an image with holes, a
 * directory byte by byte, and the same directory by {@code cp -a} and sync(1) and by tar(1) with
 * gzip(1), as the Go driver makes its snapshots?
 *
 * <pre>
 * unshare -m java -Djava.io.tmpdir=/var/tmp -jar benchmarks/target/benchmarks.jar CopyBenchmark
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class CopyBenchmark {
  private static final long MIB = 1L << 20;
  private static final long ROOM = 512 * MIB;

  /** How much there is to copy. */
  @Param({"128", "1024"})
  int mebibytes;

  /** By which means. */
  @Param By by;

  private Copiers copiers;
  private LoopMount mount;
  private Path source;
  private Path copy;

  /** The means. */
  public enum By {
    /** The driver's way, an image on xfs: blocks are shared. */
    REFLINK,
    /** The driver's way, an image on ext4 that is nearly all holes. */
    HOLES,
    /** The driver's way, a directory on ext4. */
    BYTES,
    /** The same directory by cp and sync. */
    CP_AND_SYNC,
    /** The same directory into an archive, by tar with gzip, and sync. */
    TAR_GZIP
  }

  /** Makes the source. */
  @Setup
  public void setUp() throws IOException {
    Quiet.please();
    copiers = Copiers.system();
    long bytes = mebibytes * MIB;
    mount = LoopMount.make(by == By.REFLINK ? "xfs" : "ext4", 2 * bytes + ROOM);
    source = mount.root().resolve("source");
    copy = mount.root().resolve("copy");
    switch (by) {
      case REFLINK -> Content.file(source, bytes);
      case HOLES -> Content.withHoles(source, bytes);
      case BYTES, CP_AND_SYNC, TAR_GZIP -> Content.tree(source, bytes);
    }
    sync();
  }

  /** Takes the copy away. */
  @TearDown(Level.Invocation)
  public void drop() throws IOException {
    if (Files.exists(copy)) {
      FilledState.delete(copy);
      sync();
    }
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    mount.close();
  }

  /** Once. */
  @Benchmark
  public void copy() throws IOException {
    switch (by) {
      case REFLINK, HOLES -> copiers.file().copy(source, copy);
      case BYTES -> copiers.tree().copy(source, copy);
      case CP_AND_SYNC -> {
        Programs.run(List.of("cp", "-a", source.toString(), copy.toString()));
        sync();
      }
      case TAR_GZIP -> {
        Programs.run(List.of("tar", "-czf", copy.toString(), "-C", source.toString(), "--", "."));
        sync();
      }
    }
  }

  private void sync() throws IOException {
    Programs.run(List.of("sync", "--file-system", mount.root().toString()));
  }
}
