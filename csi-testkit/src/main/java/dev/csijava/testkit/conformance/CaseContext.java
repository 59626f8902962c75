package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.requirement.Requirement;
import io.grpc.Channel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What a case works with. Stubs are blocking, have a deadline, carry the user's secrets and are
 * recorded; what is made through them is removed after the case, in whatever way it ends.
 *
 * <p>Rows are settled by {@link #ok}, {@link #refused}, {@link #answers} and {@link #check}. A row
 * passes if it was settled at least once and never failed. Without a row's id the first row of the
 * case is meant. A row that does not apply to the driver takes no verdict.
 *
 * <p>Safe for the threads that the case starts itself.
 *
 * @since 0.1.0
 */
public final class CaseContext {
  private final Case tested;
  private final Session session;
  private final Verdicts verdicts;
  private final CallList calls;
  private final Stubs stubs;
  private final Wires wires;
  private final Requests requests;
  private final NodeWork nodeWork;

  /** How calls go out: over a new connection each or one that is kept, and for how long. */
  @FunctionalInterface
  interface Wires {
    Stubs with(boolean newConnections, Duration timeout, Map<String, String> extraSecrets);
  }

  CaseContext(
      Case tested, Session session, Verdicts verdicts, CallList calls, Stubs stubs, Wires wires) {
    this.wires = wires;
    this.tested = tested;
    this.session = session;
    this.verdicts = verdicts;
    this.calls = calls;
    this.stubs = stubs;
    this.requests = new Requests(session);
    this.nodeWork = new NodeWork(this, session.places());
  }

  NodeWork nodeWork() {
    return nodeWork;
  }

  // ---- Calls ----

  /**
   * Identity, at the endpoint that serves the node.
   *
   * @since 0.1.0
   */
  public IdentityGrpc.IdentityBlockingStub identity() {
    return stubs.identity();
  }

  /**
   * Controller.
   *
   * @since 0.1.0
   */
  public ControllerGrpc.ControllerBlockingStub controller() {
    return stubs.controller();
  }

  /**
   * GroupController.
   *
   * @since 0.1.0
   */
  public GroupControllerGrpc.GroupControllerBlockingStub group() {
    return stubs.group();
  }

  /**
   * SnapshotMetadata.
   *
   * @since 0.1.0
   */
  public SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata() {
    return stubs.metadata();
  }

  /**
   * Node.
   *
   * @since 0.1.0
   */
  public NodeGrpc.NodeBlockingStub node() {
    return stubs.node();
  }

  /**
   * The observed channel of a service, for calls that the stubs can't make.
   *
   * @since 0.1.0
   */
  public Channel channel(String service) {
    return service.equals("Identity") || service.equals("Node")
        ? stubs.nodeChannel()
        : stubs.controllerChannel();
  }

  /** The same case, whose calls go out as those of another caller, for so long at most. */
  CaseContext calling(boolean newConnections, Duration timeout) {
    return new CaseContext(
        tested, session, verdicts, calls, wires.with(newConnections, timeout, Map.of()), wires);
  }

  /** The same case, whose calls carry these secrets as well. */
  CaseContext carrying(Map<String, String> secrets) {
    Stubs carrying = wires.with(false, settings().callTimeout(), secrets);
    return new CaseContext(tested, session, verdicts, calls, carrying, wires);
  }

  /** The channel of a service, on which nothing is observed and no deadline is set. */
  Channel bareChannel(String service) {
    return session.bareChannel(service);
  }

  /**
   * The calls of this case so far, removal included.
   *
   * @since 0.1.0
   */
  public List<CallRecord> calls() {
    return calls.all();
  }

  // ---- What is known ----

  /**
   * What the user said.
   *
   * @since 0.1.0
   */
  public Settings settings() {
    return session.settings();
  }

  /**
   * What the driver advertises.
   *
   * @since 0.1.0
   */
  public DriverCapabilities driver() {
    return session.capabilities();
  }

  /**
   * Whether the driver advertises this word, as in {@code ctrl:LIST_VOLUMES}.
   *
   * @since 0.1.0
   */
  public boolean advertises(String word) {
    return session.capabilities().has(word);
  }

  /**
   * Requests that are right in everything, for a case to change one thing in.
   *
   * @since 0.1.0
   */
  public Requests requests() {
    return requests;
  }

  /**
   * Objects that a case starts from.
   *
   * @since 0.1.0
   */
  public Fixtures make() {
    return new Fixtures(this);
  }

  /**
   * A name that nothing has, of at most 128 bytes.
   *
   * @since 0.1.0
   */
  public String name() {
    return session.name();
  }

  /**
   * The answer of NodeGetInfo, asked once in a run.
   *
   * @since 0.1.0
   */
  public dev.csijava.spec.v1.NodeGetInfoResponse nodeInfo() {
    return prepare(session::nodeInfo);
  }

  // ---- Verdicts ----

  /**
   * Whether the row applies to the driver.
   *
   * @since 0.1.0
   */
  public boolean applies(String row) {
    return verdicts.applies(row);
  }

  /**
   * The call must be answered; a refusal fails the first row and ends the case.
   *
   * @since 0.1.0
   */
  public <T> T ok(Supplier<T> call) {
    return ok(first(), call);
  }

  /**
   * The call must be answered; a refusal fails the row and ends the case.
   *
   * @since 0.1.0
   */
  public <T> T ok(String row, Supplier<T> call) {
    return ok(row, Outcome.of(call));
  }

  /** A call must have been answered; a refusal fails the row and ends the case. */
  <T> T ok(String row, Outcome<T> outcome) {
    if (!outcome.ok()) {
      verdicts.failed(row, "", "OK", outcome.toString());
      throw new CaseStopped(CaseStopped.Kind.FAILED, row + " failed");
    }
    verdicts.passed(row);
    return outcome.answer();
  }

  /**
   * The call must be refused with a code of the first row.
   *
   * @since 0.1.0
   */
  public void refused(Supplier<?> call) {
    refused(first(), call);
  }

  /**
   * The call must be refused with a code of the row; which one is noted if it has several.
   *
   * @since 0.1.0
   */
  public void refused(String row, Supplier<?> call) {
    judge(row, Outcome.of(call), false);
  }

  /**
   * The call must be refused with a code of the first row, or the driver takes no notice of what is
   * wrong with it. That is for what the specification forbids the caller and leaves at that: a
   * driver may not even know the field. The row is then skipped.
   */
  <T> Outcome<T> refusedOrIgnored(String what, Supplier<T> call) {
    Outcome<T> outcome = Outcome.of(call);
    if (outcome.ok()) {
      skip(first(), "the driver takes no notice of " + what + ", which only a wrong caller sends");
    } else {
      judge(first(), outcome, false);
    }
    return outcome;
  }

  /**
   * The call may end with any code of the row, OK included; which one is noted.
   *
   * @since 0.1.0
   */
  public <T> Outcome<T> answers(String row, Supplier<T> call) {
    Outcome<T> outcome = Outcome.of(call);
    judge(row, outcome, true);
    return outcome;
  }

  /**
   * An outcome must carry a code of the row.
   *
   * @since 0.1.0
   */
  public void judge(String row, Outcome<?> outcome, boolean okCounts) {
    Requirement requirement = requirement(row);
    String expected = Codes.expected(requirement, okCounts);
    boolean right = Codes.right(requirement, outcome.code(), okCounts);
    check(row, right, expected, outcome);
    if (right && (requirement.ambiguous() || requirement.codes().contains(Codes.ANY_REFUSAL))) {
      note(row, "seen: " + outcome.code());
    }
  }

  /**
   * Something must hold, for the first row.
   *
   * @since 0.1.0
   */
  public void check(boolean holds, String expected, Object came) {
    check(first(), holds, expected, came);
  }

  /**
   * Something must hold.
   *
   * @param expected what must be, for people
   * @param came what is
   * @since 0.1.0
   */
  public void check(String row, boolean holds, String expected, Object came) {
    if (holds) {
      verdicts.passed(row);
    } else {
      verdicts.failed(row, "", expected, String.valueOf(came));
    }
  }

  /**
   * Two things must be equal.
   *
   * @since 0.1.0
   */
  public void same(String row, Object expected, Object came) {
    check(row, Objects.equals(expected, came), String.valueOf(expected), came);
  }

  /**
   * Says something about a row that is no verdict.
   *
   * @since 0.1.0
   */
  public void note(String row, String note) {
    verdicts.note(row, note);
  }

  /**
   * The row is not looked at.
   *
   * @since 0.1.0
   */
  public void skip(String row, String reason) {
    verdicts.skipped(row, reason);
  }

  /**
   * Ends the case if something that it needs is not there; open rows are skipped.
   *
   * @since 0.1.0
   */
  public void need(boolean there, String reason) {
    if (!there) {
      throw new CaseStopped(CaseStopped.Kind.SKIPPED, reason);
    }
  }

  /**
   * Ends the case if a capability is missing that its rows do not name.
   *
   * @since 0.1.0
   */
  public void needs(String word) {
    session.needs(word);
  }

  /**
   * A call that only prepares: a refusal ends the case, and its open rows fail.
   *
   * @since 0.1.0
   */
  public <T> T prepare(Supplier<T> call) {
    Outcome<T> outcome = Outcome.of(call);
    if (!outcome.ok()) {
      throw new CaseStopped(CaseStopped.Kind.UNPREPARED, outcome.toString());
    }
    return outcome.answer();
  }

  /**
   * The same call from several threads at one moment; the outcomes in the order of the calls.
   *
   * @since 0.1.0
   */
  public <T> List<Outcome<T>> together(int times, Supplier<T> call) {
    return Together.run(java.util.Collections.nCopies(times, call));
  }

  /**
   * Calls at one moment; the outcomes in their order.
   *
   * @since 0.1.0
   */
  public <T> List<Outcome<T>> together(List<Supplier<T>> calls) {
    return Together.run(calls);
  }

  /**
   * Whether a code says that the caller may simply try again.
   *
   * @since 0.1.0
   */
  public static boolean retryable(Status.Code code) {
    return code == Status.Code.ABORTED || code == Status.Code.UNAVAILABLE;
  }

  private String first() {
    return tested.rows().get(0).id();
  }

  private Requirement requirement(String row) {
    return tested.rows().stream()
        .filter(r -> r.id().equals(row))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(tested.id() + " does not name " + row));
  }
}
