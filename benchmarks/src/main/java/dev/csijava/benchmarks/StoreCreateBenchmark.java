package dev.csijava.benchmarks;

import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to make a volume that is on disk when the call returns, by the number of
 * volumes that there are and by how many callers there are at once? The bare steps are what any
 * program has to do for it: a folder, a file, a rename, and fsync(2) of each.
 *
 * <p>All of it happens on an ext4 of its own, on a loop device. The disk below may be an ext4
 * without a journal, which for minutes gives an inode that was freed to nobody else and looks
 * through all of these for each new one: a benchmark that deletes what it made measures mostly
 * that.
 *
 * <p>Mounts, and so needs root. Files lie below the directory for temporary files, which should be
 * on a real disk.
 *
 * <pre>
 * unshare -m java -Djava.io.tmpdir=/var/tmp \
 *     -jar benchmarks/target/benchmarks.jar StoreCreateBenchmark
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class StoreCreateBenchmark {
  private static final byte[] CONTENT = "record\n".repeat(60).getBytes(StandardCharsets.UTF_8);
  private static final int SOME = 8;

  /** Holes for the most part; the number of inodes comes from it. */
  private static final long FILE_SYSTEM_BYTES = 32L << 30;

  private final AtomicLong numbers = new AtomicLong();
  private final Queue<Record> made = new ConcurrentLinkedQueue<>();
  private final LocalDisk disk = new LocalDisk();

  /** How many volumes there are. */
  @Param({"10", "1000", "100000"})
  int volumes;

  private LoopMount mount;
  private FilledState filled;
  private StateDirectory state;
  private Path aside;
  private Path pending;
  private Path home;

  /** Makes the volumes. */
  @Setup
  public void setUp() throws IOException {
    mount = LoopMount.make("ext4", FILE_SYSTEM_BYTES);
    filled = FilledState.makeBelow(mount.root(), volumes);
    state = filled.open();
    aside = Files.createDirectory(mount.root().resolve("aside"));
    // Where the driver's own folders are: ext4 spreads those of the root over the disk.
    pending = Files.createDirectory(filled.directory().resolve("bare-pending"));
    home = freshHome();
  }

  private Path freshHome() throws IOException {
    return Files.createTempDirectory(filled.directory(), "bare-home");
  }

  /**
   * Takes away what an iteration made, so that the number of volumes stays, and keeps each inode:
   * the volumes are put aside while nobody has the state directory open.
   */
  @TearDown(Level.Iteration)
  public void putAside() throws IOException {
    home = freshHome();
    if (made.isEmpty()) {
      return;
    }
    Path volumesHome = state.volumes().base();
    state.close();
    for (Record one = made.poll(); one != null; one = made.poll()) {
      disk.rename(volumesHome.resolve(one.getFolder()), aside.resolve(one.getFolder()));
    }
    state = filled.open();
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    try {
      state.close();
    } finally {
      mount.close();
    }
  }

  /** One caller. */
  @Benchmark
  @Threads(1)
  public Record oneCaller() {
    return create();
  }

  /** Eight at once. */
  @Benchmark
  @Threads(SOME)
  public Record eightCallers() {
    return create();
  }

  /** The bare steps, by one thread. */
  @Benchmark
  @Threads(1)
  public Path bareByOne() throws IOException {
    return bare();
  }

  /** The bare steps, by eight threads at once. */
  @Benchmark
  @Threads(SOME)
  public Path bareByEight() throws IOException {
    return bare();
  }

  private Record create() {
    Record record = FilledState.create(state.volumes(), "made-" + numbers.incrementAndGet());
    made.add(record);
    return record;
  }

  private Path bare() throws IOException {
    String name = "bare-" + numbers.incrementAndGet();
    Path folder = Files.createDirectory(pending.resolve(name));
    Files.createDirectory(folder.resolve("data"));
    disk.write(folder.resolve("record"), CONTENT);
    disk.syncFolder(folder);
    disk.rename(folder, home.resolve(name));
    disk.syncFolder(home);
    return folder;
  }
}
