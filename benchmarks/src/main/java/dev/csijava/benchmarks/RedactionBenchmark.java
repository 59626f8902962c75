package dev.csijava.benchmarks;

import com.google.protobuf.TextFormat;
import dev.csijava.core.LoggedCall;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does taking the secrets out add to printing a request?
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar RedactionBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RedactionBenchmark {
  private final NodePublishVolumeRequest request = SampleCalls.publish();

  /** Redaction on: as the log has it. */
  @Benchmark
  public String withoutSecrets() {
    return LoggedCall.redacted(request);
  }

  /** Redaction off: the printer alone. */
  @Benchmark
  public String withSecrets() {
    return TextFormat.printer().emittingSingleLine(true).printToString(request);
  }
}
