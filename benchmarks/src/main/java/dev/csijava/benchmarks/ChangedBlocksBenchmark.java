package dev.csijava.benchmarks;

import dev.csijava.hostpath.blocks.HostpathSnapshotMetadata;
import dev.csijava.hostpath.copy.Copiers;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.DataMaker;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * How long does it take to find out which blocks of two snapshots differ, of which one in 1024
 * does: by the file system's maps where they share the rest, and by reading both where they share
 * nothing? What is read is in the page cache.
 *
 * <pre>
 * unshare -m java -Djava.io.tmpdir=/var/tmp -jar benchmarks/target/benchmarks.jar ChangedBlocks
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class ChangedBlocksBenchmark {
  private static final long MIB = 1L << 20;
  private static final long ROOM = 512 * MIB;
  private static final long ONE_BLOCK_EVERY = 4 * MIB;

  /** How large the snapshots are. */
  @Param({"128", "1024"})
  int mebibytes;

  /** What tells what is equal. */
  @Param By by;

  private LoopMount mount;
  private StateDirectory state;
  private HostpathSnapshotMetadata metadata;
  private GetMetadataDeltaRequest request;

  /** What there is to go by. */
  public enum By {
    /** The younger snapshot shares what did not change. */
    MAPS,
    /** It shares nothing. */
    BYTES
  }

  /** Makes both snapshots. */
  @Setup
  public void setUp() throws IOException {
    Quiet.please();
    long bytes = mebibytes * MIB;
    mount = LoopMount.make("xfs", 2 * bytes + ROOM);
    state =
        StateDirectory.open(
            mount.root().resolve("state"),
            new LocalDisk(),
            new KernelMounts(),
            Steps.NONE,
            Clock.systemUTC());
    Record base = snapshot("base", data -> Content.file(data, bytes));
    Path from = state.snapshots().data(base);
    Record target =
        snapshot(
            "target",
            data -> {
              if (by == By.MAPS) {
                Copiers.system().file().copy(from, data);
              } else {
                Content.file(data, bytes);
              }
              Content.change(data, bytes, ONE_BLOCK_EVERY);
            });
    metadata = new HostpathSnapshotMetadata(state.snapshots(), BlockMetadataType.FIXED_LENGTH);
    request =
        GetMetadataDeltaRequest.newBuilder()
            .setBaseSnapshotId(base.getId())
            .setTargetSnapshotId(target.getId())
            .build();
  }

  private Record snapshot(String name, DataMaker maker) {
    return state
        .snapshots()
        .create(
            Record.newBuilder()
                .setName(name)
                .setSizeBytes(mebibytes * MIB)
                .setBacking(Backing.BLOCK)
                .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("volume"))
                .build(),
            maker);
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    state.close();
    mount.close();
  }

  /** The whole stream, of which each tuple is a block that changed. */
  @Benchmark
  public long changedBlocks() {
    AtomicLong blocks = new AtomicLong();
    metadata.getMetadataDelta(
        request, answer -> blocks.addAndGet(answer.getBlockMetadataCount()), new NoContext());
    if (blocks.get() != mebibytes * MIB / ONE_BLOCK_EVERY) {
      throw new IllegalStateException("found " + blocks.get() + " changed blocks");
    }
    return blocks.get();
  }
}
