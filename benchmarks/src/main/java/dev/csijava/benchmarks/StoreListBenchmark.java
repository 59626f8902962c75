package dev.csijava.benchmarks;

import dev.csijava.core.CallContext;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.controller.HostpathListing;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
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
 * What does listing volumes cost, a page and all of them, by how many there are?
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar StoreListBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class StoreListBenchmark {
  private static final int PAGE = 100;
  private static final CallContext CALL = new NoContext();

  /** How many volumes there are. */
  @Param({"10", "1000", "100000"})
  int volumes;

  private FilledState filled;
  private StateDirectory state;
  private HostpathListing listing;

  /** Makes the volumes. */
  @Setup
  public void setUp() throws IOException {
    filled = FilledState.make(volumes);
    state = filled.open();
    listing =
        new HostpathListing(
            state.volumes(), new NodeTopology("node"), new AttachedNodes(false, "node"));
  }

  /** Leaves nothing. */
  @TearDown
  public void tearDown() throws IOException {
    state.close();
    filled.close();
  }

  /** The first hundred. */
  @Benchmark
  public ListVolumesResponse page() {
    return listing.listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(PAGE).build(), CALL);
  }

  /** All, in as few pages as a reply's size allows. */
  @Benchmark
  public int all() {
    int entries = 0;
    String token = "";
    do {
      ListVolumesResponse page =
          listing.listVolumes(
              ListVolumesRequest.newBuilder().setStartingToken(token).build(), CALL);
      entries += page.getEntriesCount();
      token = page.getNextToken();
    } while (!token.isEmpty());
    return entries;
  }
}
