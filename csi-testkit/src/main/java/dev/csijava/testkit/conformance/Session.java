package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.client.StatusText;
import dev.csijava.testkit.requirement.Requirement;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A driver under test: connections, what it advertises, and the running of single cases. Cases may
 * run on several threads at once.
 *
 * @since 0.1.0
 */
public final class Session implements AutoCloseable {
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(30);

  private final Settings settings;
  private final CsiConnection node;
  private final CsiConnection controller;
  private final DriverCapabilities capabilities;
  private final AnswerWatch watch;
  private final Others others;
  private final String run = Long.toString(ThreadLocalRandom.current().nextLong(1L << 30), 36);
  private final AtomicInteger names = new AtomicInteger();
  private final Places places;
  private final Discretion discretion;
  private final Set<Running> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;
  private @Nullable NodeGetInfoResponse nodeInfo;

  /** A case that is not cleared away. */
  private record Running(Ledger ledger, CallGate gate) {}

  private Session(
      Settings settings,
      CsiConnection node,
      CsiConnection controller,
      DriverCapabilities capabilities,
      Others others) {
    this.settings = settings;
    this.node = node;
    this.controller = controller;
    this.capabilities = capabilities;
    this.watch = new AnswerWatch(capabilities);
    this.others = others;
    this.places = new Places(settings, run);
    this.discretion = new Discretion(settings);
  }

  /**
   * Connects and asks the driver what it advertises, and, where it lists, what it holds: that is
   * somebody's, and no case will change it.
   *
   * @throws StatusRuntimeException if the driver can't be reached or refuses to tell
   * @since 0.1.0
   */
  public static Session open(Settings settings) {
    CsiConnection node = CsiConnection.to(settings.endpoint());
    CsiConnection controller =
        settings.controllerEndpoint().equals(settings.endpoint())
            ? node
            : CsiConnection.to(settings.controllerEndpoint());
    try {
      Stubs stubs =
          new Stubs(
              node.kept(),
              controller.kept(),
              settings,
              settings.callTimeout(),
              Map.of(),
              Optional.empty(),
              (call, request, responses, status, t) -> {});
      DriverCapabilities capabilities =
          DriverCapabilities.ask(stubs.nodeChannel(), stubs.controllerChannel());
      return new Session(
          settings,
          node,
          controller,
          capabilities,
          Others.listed(stubs, capabilities, settings.existingVolumeId()));
    } catch (RuntimeException e) {
      node.close();
      controller.close();
      throw e;
    }
  }

  /**
   * What the user said.
   *
   * @since 0.1.0
   */
  public Settings settings() {
    return settings;
  }

  /**
   * What the driver advertises.
   *
   * @since 0.1.0
   */
  public DriverCapabilities capabilities() {
    return capabilities;
  }

  /** The channel of a service, on which nothing is observed and no deadline is set. */
  Channel bareChannel(String service) {
    return service.equals("Identity") || service.equals("Node") ? node.kept() : controller.kept();
  }

  Places places() {
    return places;
  }

  /** What all answers together show. */
  List<RowResult> answers() {
    return watch.results().stream().map(discretion::of).toList();
  }

  String name() {
    return settings.namePrefix() + "-" + run + "-" + names.incrementAndGet();
  }

  String unknownId() {
    return "no-such-" + run + "-" + names.incrementAndGet();
  }

  /** Ends the case if a capability is missing that its rows do not name. */
  void needs(String word) {
    if (!capabilities.has(word)) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED,
          word.equals(DriverCapabilities.NODE_SERVICE)
              ? "there is no Node service at the endpoint"
              : word + " is not advertised, and the case needs it");
    }
  }

  synchronized NodeGetInfoResponse nodeInfo() {
    needs(DriverCapabilities.NODE_SERVICE);
    if (nodeInfo == null) {
      nodeInfo =
          ownStubs(new CallList(), new Ledger(others))
              .node()
              .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    }
    return nodeInfo;
  }

  GetPluginInfoResponse pluginInfo(GetPluginInfoRequest request) {
    return ownStubs(new CallList(), new Ledger(others)).identity().getPluginInfo(request);
  }

  /** For calls of the kit itself, which are made also when cases may not call any more. */
  private Stubs ownStubs(CallList calls, Ledger ledger) {
    return stubs(
        calls,
        ledger,
        Optional.empty(),
        settings.connectionPerCall(),
        settings.callTimeout(),
        Map.of());
  }

  private Stubs stubs(
      CallList calls,
      Ledger ledger,
      Optional<CallGate> gate,
      boolean perCall,
      Duration timeout,
      Map<String, String> extraSecrets) {
    return new Stubs(
        perCall ? node.perCall() : node.kept(),
        perCall ? controller.perCall() : controller.kept(),
        settings,
        timeout,
        extraSecrets,
        gate,
        (call, request, responses, status, trailers) -> {
          calls.add(call);
          ledger.observe(request, responses, status);
          watch.ended(call, request, responses, status, trailers);
        });
  }

  /**
   * Runs one case and removes what it made. Never throws for what a driver does.
   *
   * @since 0.1.0
   */
  public CaseResult run(Case tested) {
    long began = System.nanoTime();
    CallList calls = new CallList();
    Verdicts verdicts = new Verdicts(tested, calls::latest);
    boolean any = false;
    for (Requirement row : tested.rows()) {
      Optional<String> reason = Applicability.whyNot(row, capabilities);
      reason.ifPresent(why -> verdicts.skipped(row.id(), why));
      any |= reason.isEmpty();
    }
    List<String> left = List.of();
    if (any) {
      Ledger ledger = new Ledger(others);
      CallGate gate = new CallGate(ledger, others, () -> stopped);
      Running running = new Running(ledger, gate);
      open.add(running);
      try {
        CaseContext.Wires wires =
            (perCall, timeout, extra) ->
                stubs(calls, ledger, Optional.of(gate), perCall, timeout, extra);
        Stubs stubs = wires.with(settings.connectionPerCall(), settings.callTimeout(), Map.of());
        attempt(tested, new CaseContext(tested, this, verdicts, calls, stubs, wires), verdicts);
      } finally {
        left = new ArrayList<>(removal(running, calls).run());
        left.addAll(ledger.notOurs());
        open.remove(running);
      }
    }
    return new CaseResult(
        tested,
        verdicts.results().stream().map(discretion::of).toList(),
        discretion.of(left),
        Duration.ofNanos(System.nanoTime() - began));
  }

  private static void attempt(Case tested, CaseContext context, Verdicts verdicts) {
    try {
      tested.body().run(context);
      verdicts.finish(Verdict.SKIPPED, "the case did not come to this row", "", "");
    } catch (CaseStopped e) {
      switch (e.kind()) {
        case FAILED -> verdicts.finish(Verdict.SKIPPED, "not reached: " + e.getMessage(), "", "");
        case SKIPPED -> verdicts.finish(Verdict.SKIPPED, String.valueOf(e.getMessage()), "", "");
        case UNPREPARED ->
            verdicts.finish(
                Verdict.FAILED, "while preparing the case", "OK", String.valueOf(e.getMessage()));
      }
    } catch (StatusRuntimeException e) {
      verdicts.finish(
          Verdict.FAILED, "while preparing the case", "OK", StatusText.of(e.getStatus()));
    } catch (Exception e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      verdicts.finish(
          Verdict.FAILED, "the case broke off", "a case that runs to its end", trace.toString());
    }
  }

  private Removal removal(Running running, CallList calls) {
    Duration patience =
        settings.callTimeout().compareTo(LONGEST_PATIENCE) < 0
            ? settings.callTimeout()
            : LONGEST_PATIENCE;
    return new Removal(
        running.gate(), running.ledger(), ownStubs(calls, running.ledger()), patience);
  }

  /** From now on no case makes a call; those that are under way go on. */
  void refuseCalls() {
    stopped = true;
  }

  /** Waits for the calls under way that may make something. */
  void awaitCalls(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    for (Running running : open) {
      if (!running.ledger().awaitEnd(end)) {
        return;
      }
    }
  }

  /** What cases have made, or may have made, and what is not removed yet. */
  List<String> held() {
    return open.stream().flatMap(running -> running.ledger().held().stream()).toList();
  }

  /**
   * Removes what interrupted cases have made; for the end of a run that is broken off.
   *
   * @return what stays, one sentence each
   * @since 0.1.0
   */
  public List<String> removeAll() {
    List<String> left = new ArrayList<>();
    for (Running running : open) {
      left.addAll(removal(running, new CallList()).run());
      left.addAll(running.ledger().notOurs());
    }
    left.addAll(places.remove());
    return discretion.of(left);
  }

  /** Hangs up. */
  @Override
  public void close() {
    node.close();
    controller.close();
  }
}
