package dev.csijava.testkit.conformance;

import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the liveness probe and kubelet's plugin watcher do. */
final class IdentityCallerCases implements CaseGroup {
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final int PROBES = 5;

  /** Kubelet ends a container after so many failures in a row, unless it is told otherwise. */
  static final int FAILURES = 3;

  private static final long INFO_SECONDS = 1;
  private static final long NOTICE_SECONDS = 5;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-liveness",
            "The driver says that it lives, also while it works",
            IdentityCallerCases::liveness,
            "ENGINE-CALLER-014"),
        Case.of(
            "engine-callers-registration",
            "Kubelet registers the driver",
            IdentityCallerCases::registration,
            "ENGINE-CALLER-015"));
  }

  private static void liveness(CaseContext context) {
    String row = "ENGINE-CALLER-014";
    CaseContext c = context.calling(true, PROBE_TIMEOUT);
    c.ok(row, () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
    alive(c, row, aliveAtLast(c));
    if (!c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      return;
    }
    List<Supplier<Object>> calls = new ArrayList<>();
    for (int i = 0; i < PROBES; i++) {
      calls.add(() -> aliveAtLast(c));
      var request = context.requests().volume().build();
      calls.add(() -> context.controller().createVolume(request));
    }
    List<Outcome<Object>> outcomes = c.together(calls);
    for (int i = 0; i < outcomes.size(); i += 2) {
      Outcome<Object> asked = outcomes.get(i);
      alive(c, row, asked.ok() ? (Outcome<?>) asked.answer() : asked);
    }
  }

  private static Outcome<?> aliveAtLast(CaseContext c) {
    return Patience.times(FAILURES, () -> Outcome.of(() -> probe(c)), IdentityCallerCases::isAlive);
  }

  private static ProbeResponse probe(CaseContext c) {
    return c.identity().probe(ProbeRequest.getDefaultInstance());
  }

  private static void alive(CaseContext c, String row, Outcome<?> outcome) {
    c.check(row, isAlive(outcome), "ready within " + PROBE_TIMEOUT, outcome);
  }

  private static boolean isAlive(Outcome<?> outcome) {
    return outcome.ok()
        && outcome.answer() instanceof ProbeResponse answer
        && (!answer.hasReady() || answer.getReady().getValue());
  }

  private static void registration(CaseContext c) {
    String row = "ENGINE-CALLER-015";
    Path socket = c.settings().registrationSocket().orElse(null);
    c.need(socket != null, "--registration-socket is not given");
    register(c, row, String.valueOf(socket));
  }

  /** As kubelet does it when the socket appears, which asks the driver for the node then. */
  static void register(CaseContext c, String row, String socket) {
    try (CsiConnection watcher = CsiConnection.to(DriverEndpoint.parse(socket))) {
      PluginInfo info = c.ok(row, info(watcher));
      String name =
          c.ok(row, () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
              .getName();
      c.same(row, "CSIPlugin", info.getType());
      c.same(row, name, info.getName());
      c.check(row, info.getEndpoint().startsWith("/"), "an absolute endpoint", info);
      c.check(
          row,
          info.getSupportedVersionsList().stream().anyMatch(v -> v.matches("v?1\\.[0-9.]+")),
          "a version 1.x",
          info);
      node(c, row);
      c.ok(
          row,
          () ->
              RegistrationGrpc.newBlockingStub(watcher.perCall())
                  .withDeadlineAfter(NOTICE_SECONDS, TimeUnit.SECONDS)
                  .notifyRegistrationStatus(
                      RegistrationStatus.newBuilder().setPluginRegistered(true).build()));
    }
  }

  /** Kubelet does not wait long, but asks again. */
  private static Outcome<PluginInfo> info(CsiConnection watcher) {
    return Patience.times(
        FAILURES,
        () ->
            Outcome.of(
                () ->
                    RegistrationGrpc.newBlockingStub(watcher.perCall())
                        .withDeadlineAfter(INFO_SECONDS, TimeUnit.SECONDS)
                        .getInfo(InfoRequest.getDefaultInstance())),
        Outcome::ok);
  }

  /** Kubelet would not register a node without a name. */
  private static void node(CaseContext c, String row) {
    c.needs("service:Node");
    CaseContext kubelet = c.calling(true, c.settings().callTimeout());
    NodeGetInfoResponse node =
        c.ok(row, () -> kubelet.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
    c.check(row, !node.getNodeId().isEmpty(), "a node_id", node);
  }
}
