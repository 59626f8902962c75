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
 * <pre>
 * java -Djava.io.tmpdir=/var/tmp -jar benchmarks/target/benchmarks.jar StoreCreateBenchmark
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class StoreCreateBenchmark {
  private static final byte[] CONTENT = "record\n".repeat(60).getBytes(StandardCharsets.UTF_8);
  private static final int SOME = 8;

  private final AtomicLong numbers = new AtomicLong();
  private final Queue<Record> made = new ConcurrentLinkedQueue<>();
  private final LocalDisk disk = new LocalDisk();

  /** How many volumes there are. */
  @Param({"10", "1000", "100000"})
  int volumes;

  private FilledState filled;
  private StateDirectory state;
  private Path pending;
  private Path home;

  /** Makes the volumes. */
  @Setup
  public void setUp() throws IOException {
    filled = FilledState.make(volumes);
    state = filled.open();
    pending = Files.createDirectory(filled.directory().resolve("bare-pending"));
    home = Files.createDirectory(filled.directory().resolve("bare-home"));
  }

  /**
   * Takes away what an iteration made, so that the number of volumes stays; all of it, since the
   * next iteration would share the disk with what is removed in the background.
   */
  @TearDown(Level.Iteration)
  public void deleteMade() throws IOException, InterruptedException {
    for (Record one = made.poll(); one != null; one = made.poll()) {
      state.volumes().delete(one);
    }
    filled.awaitRemoved();
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    state.close();
    filled.close();
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
