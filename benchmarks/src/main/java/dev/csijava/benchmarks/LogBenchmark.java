package dev.csijava.benchmarks;

import dev.csijava.core.LoggedCall;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the log cost a call, by its level? With a level that is off nothing may be allocated:
 * compare gc.alloc.rate.norm of a call with that of {@code withoutStage}.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar LogBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
// JMH fills the fields in before it calls a benchmark.
@SuppressWarnings("NullAway.Init")
public class LogBenchmark {
  private static final Logger CALLS = Logger.getLogger("dev.csijava.call");

  private final LoggedCall changing = new LoggedCall(SampleCalls.publish(), true);
  private final LoggedCall reading = new LoggedCall(SampleCalls.publish(), false);

  /** OFF; INFO, where calls that change something are logged; FINE, where all are. */
  @Param({"OFF", "INFO", "FINE"})
  String level;

  /** Lines go nowhere. */
  @Setup
  public void setUp() {
    CALLS.setUseParentHandlers(false);
    CALLS.addHandler(new Nowhere());
    CALLS.setLevel(Level.parse(level));
  }

  /** A call that changes something. */
  @Benchmark
  public void callThatChanges() {
    changing.withLog();
  }

  /** A call that only reads. */
  @Benchmark
  public void callThatReads() {
    reading.withLog();
  }

  /** The same without the stage: the call's own cost here. */
  @Benchmark
  public void withoutStage() {
    changing.withoutLog();
  }

  private static final class Nowhere extends Handler {
    @Override
    public void publish(LogRecord line) {}

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
