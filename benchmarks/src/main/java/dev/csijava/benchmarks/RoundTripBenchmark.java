package dev.csijava.benchmarks;

import com.google.protobuf.Message;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.PartialPipeline;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.Channel;
import java.io.IOException;
import java.nio.file.Files;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a call of a driver that does nothing cost, by how it travels: through memory, or
 * through a socket, on a connection that is kept or, as kubelet does it, on a new one each time?
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar RoundTripBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class RoundTripBenchmark {
  private final NodePublishVolumeRequest request = SampleCalls.publish();

  /** How the call travels. */
  @Param Way way;

  private AutoCloseable server;
  private AutoCloseable client;
  private Channel channel;
  private Path directory;

  /** The ways. */
  public enum Way {
    /** Through memory. */
    IN_PROCESS,
    /** A Unix socket, one connection for all calls. */
    UNIX_KEPT,
    /** A Unix socket, a connection for each call. */
    UNIX_NEW,
    /** TCP on the loopback interface, one connection for all calls. */
    TCP_KEPT,
    /** TCP on the loopback interface, a connection for each call. */
    TCP_NEW
  }

  /** Serves and connects. */
  @Setup
  public void setUp() throws IOException {
    Quiet.please();
    directory = Files.createTempDirectory("csi-benchmark");
    if (way == Way.IN_PROCESS) {
      PartialPipeline pipeline =
          PartialPipeline.of(SampleCalls.driver(), PartialPipeline.Depth.WHOLE);
      ServedNode served = ServedNode.framed(pipeline.service(), true);
      server = pipeline;
      client = served;
      channel = served.channel();
      return;
    }
    CsiEndpoint where =
        way == Way.TCP_KEPT || way == Way.TCP_NEW
            ? CsiEndpoint.parse("tcp://127.0.0.1:0")
            : CsiEndpoint.unix(directory.resolve("csi.sock"));
    CsiServer started = CsiServer.forDriver(SampleCalls.driver()).endpoint(where).start();
    server = started;
    CsiConnection connection =
        CsiConnection.to(DriverEndpoint.parse(started.endpoint().toString()));
    client = connection;
    channel =
        way == Way.UNIX_KEPT || way == Way.TCP_KEPT ? connection.kept() : connection.perCall();
  }

  /** Gives everything back. */
  @TearDown
  public void tearDown() throws Exception {
    client.close();
    server.close();
    Files.delete(directory);
  }

  /** One NodePublishVolume that does nothing. */
  @Benchmark
  public Message call() {
    return NodeGrpc.newBlockingStub(channel).nodePublishVolume(request);
  }
}
