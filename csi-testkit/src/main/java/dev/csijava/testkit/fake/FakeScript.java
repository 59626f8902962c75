package dev.csijava.testkit.fake;

import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What a {@link FakeDriver} does out of turn: delays and faults, for chosen calls of an RPC.
 *
 * <pre>{@code
 * driver.script().on("CreateVolume").call(2).fail(Status.Code.UNAVAILABLE, "the back end is away");
 * driver.script().on("NodeStageVolume").every().answerAfter(Duration.ofSeconds(3));
 * driver.script().on("CreateVolume").call(1)
 *     .commitThenFail(Status.Code.DEADLINE_EXCEEDED, "it took too long");
 * }</pre>
 *
 * <p>Calls are counted from the moment when the line was written, for each line apart. Several
 * lines may meet the same call: delays add up, the first fault wins. Safe for use by several
 * threads, also while calls run.
 *
 * @since 0.1.0
 */
public final class FakeScript {
  private final List<Line> lines = new ArrayList<>();

  FakeScript() {}

  /**
   * Begins a line about an RPC.
   *
   * @param rpc its bare name, such as NodePublishVolume
   * @throws IllegalArgumentException if CSI has no such RPC
   * @since 0.1.0
   */
  public When on(String rpc) {
    if (!FakeRpcs.NAMES.contains(rpc)) {
      throw new IllegalArgumentException("CSI has no RPC " + rpc);
    }
    return new When(rpc);
  }

  /**
   * Forgets all lines; calls that wait already go on waiting.
   *
   * @since 0.1.0
   */
  public synchronized void clear() {
    lines.clear();
  }

  /** What the next call of an RPC meets. */
  synchronized List<Fault> next(String rpc) {
    List<Fault> found = new ArrayList<>();
    for (Line line : lines) {
      if (line.rpc.equals(rpc) && line.calls.test(++line.count)) {
        found.add(line.fault);
      }
    }
    return found;
  }

  private synchronized void add(Line line) {
    lines.add(line);
  }

  /**
   * What a line does.
   *
   * @param before how long to wait before the driver looks at the request
   * @param instead the error in place of doing anything, or OK
   * @param after how long to wait with the reply, once all is done
   * @param afterwards the error in place of the reply, once all is done, or OK
   */
  record Fault(Duration before, Status instead, Duration after, Status afterwards) {}

  private static final class Line {
    private final String rpc;
    private final IntPredicate calls;
    private final Fault fault;
    private int count;

    Line(String rpc, IntPredicate calls, Fault fault) {
      this.rpc = rpc;
      this.calls = calls;
      this.fault = fault;
    }
  }

  /**
   * Which calls of an RPC a line is about.
   *
   * @since 0.1.0
   */
  public final class When {
    private final String rpc;

    private When(String rpc) {
      this.rpc = rpc;
    }

    /**
     * One call only.
     *
     * @param number 1 for the next one
     * @since 0.1.0
     */
    public Then call(int number) {
      return new Then(rpc, count -> count == number);
    }

    /**
     * As many calls as that, from the next one on.
     *
     * @param calls how many
     * @since 0.1.0
     */
    public Then first(int calls) {
      return new Then(rpc, count -> count <= calls);
    }

    /**
     * All calls from now on.
     *
     * @since 0.1.0
     */
    public Then every() {
      return new Then(rpc, count -> true);
    }
  }

  /**
   * What happens to these calls.
   *
   * @since 0.1.0
   */
  public final class Then {
    private final String rpc;
    private final IntPredicate calls;

    private Then(String rpc, IntPredicate calls) {
      this.rpc = rpc;
      this.calls = calls;
    }

    /**
     * The call fails, and nothing is done.
     *
     * @since 0.1.0
     */
    public void fail(Status.Code code, String sentence) {
      write(Duration.ZERO, status(code, sentence), Duration.ZERO, Status.OK);
    }

    /**
     * All that was asked for is done, and the call fails nevertheless.
     *
     * @since 0.1.0
     */
    public void commitThenFail(Status.Code code, String sentence) {
      write(Duration.ZERO, Status.OK, Duration.ZERO, status(code, sentence));
    }

    /**
     * The driver waits before it looks at the request; other calls overtake this one.
     *
     * @since 0.1.0
     */
    public void startAfter(Duration wait) {
      write(wait, Status.OK, Duration.ZERO, Status.OK);
    }

    /**
     * All is done at once, and the reply comes late.
     *
     * @since 0.1.0
     */
    public void answerAfter(Duration wait) {
      write(Duration.ZERO, Status.OK, wait, Status.OK);
    }

    private void write(Duration before, Status instead, Duration after, Status afterwards) {
      add(new Line(rpc, calls, new Fault(before, instead, after, afterwards)));
    }

    private Status status(Status.Code code, String sentence) {
      if (code == Status.Code.OK) {
        throw new IllegalArgumentException("OK is no failure");
      }
      return code.toStatus().withDescription(sentence);
    }
  }
}
