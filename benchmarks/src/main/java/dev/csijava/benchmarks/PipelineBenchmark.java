package dev.csijava.benchmarks;

import com.google.protobuf.Message;
import dev.csijava.core.PartialPipeline;
import dev.csijava.core.PartialPipeline.Depth;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
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
 * What does each stage of the pipeline add to a call that does nothing, over grpc-java alone? The
 * log is off. BARE has grpc-java's own threads for handlers, so compare WHOLE with it; the stages
 * before THREAD run on the event loop.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar PipelineBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class PipelineBenchmark {
  private static final Logger CALLS = Logger.getLogger("dev.csijava.call");

  private final NodePublishVolumeRequest request = SampleCalls.publish();

  /** Through memory, or through a Unix socket on one kept connection. */
  @Param({"IN_PROCESS", "UNIX"})
  Transport transport;

  /** The last stage before the handler. */
  @Param Stages stages;

  private PartialPipeline pipeline;
  private ServedNode served;
  private NodeGrpc.NodeBlockingStub node;

  /** How calls travel. */
  public enum Transport {
    /** Through memory. */
    IN_PROCESS,
    /** Through a Unix socket. */
    UNIX
  }

  /** BARE is none; the others are those of the pipeline, in order. */
  public enum Stages {
    /** Grpc-java alone. */
    BARE,
    /** See {@link Depth#CONTEXT}. */
    CONTEXT,
    /** See {@link Depth#LOG}. */
    LOG,
    /** See {@link Depth#METRICS}. */
    METRICS,
    /** See {@link Depth#ERRORS}. */
    ERRORS,
    /** See {@link Depth#THREAD}. */
    THREAD,
    /** See {@link Depth#CAPABILITY}. */
    CAPABILITY,
    /** See {@link Depth#REQUEST}. */
    REQUEST,
    /** See {@link Depth#OPERATION}. */
    OPERATION,
    /** See {@link Depth#WHOLE}. */
    WHOLE
  }

  /** Serves and connects. */
  @Setup
  public void setUp() throws IOException {
    CALLS.setLevel(Level.OFF);
    boolean inProcess = transport == Transport.IN_PROCESS;
    if (stages == Stages.BARE) {
      served = ServedNode.bare(new BareNode().bindService(), inProcess);
    } else {
      pipeline = PartialPipeline.of(SampleCalls.driver(), Depth.valueOf(stages.name()));
      served = ServedNode.framed(pipeline.service(), inProcess);
    }
    node = NodeGrpc.newBlockingStub(served.channel());
  }

  /** Gives everything back. */
  @TearDown
  public void tearDown() throws Exception {
    served.close();
    if (pipeline != null) {
      pipeline.close();
    }
  }

  /** One NodePublishVolume that does nothing. */
  @Benchmark
  public Message call() {
    return node.nodePublishVolume(request);
  }
}
