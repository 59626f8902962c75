package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import dev.csijava.testkit.conformance.ReplayLife.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The secrets engine: canaries in every secret field, and a look for them everywhere. */
final class CanaryCases implements CaseGroup {
  private static final String ROW = "ENGINE-SECRETS-001";
  private static final String LOG = "GEN-SEC-005";
  private static final String OTHER = "GEN-SEC-006";
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";
  private static final int PAUSE_MILLIS = 500;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-secrets",
                "A canary in every secret field comes to light nowhere",
                CanaryCases::everywhere,
                ROW,
                LOG,
                OTHER,
                "GEN-SEC-004")
            .runAlone());
  }

  private static void everywhere(CaseContext context) throws IOException, InterruptedException {
    Canary secret = new Canary();
    Canary token = new Canary();
    CaseContext c = context.carrying(secret.secrets());
    if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      succeed(c, token);
    }
    fail(c, secret);
    for (CallRecord call : context.calls()) {
      boolean there = call.response().contains(secret.value());
      c.check(ROW, !there, "no secret in the answer to " + call.rpc(), "the value of a secret");
    }
    Path log = c.settings().logFile().orElse(null);
    if (log == null || !Files.isReadable(log)) {
      c.skip(LOG, "--log-file is not given, or can't be read");
      c.skip(OTHER, "--log-file is not given, or can't be read");
      return;
    }
    Thread.sleep(PAUSE_MILLIS);
    String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    boolean secretThere = text.contains(secret.value());
    boolean tokenThere = text.contains(token.value());
    c.check(LOG, !secretThere, "no secret in " + log, around(text, secret));
    c.check(OTHER, !tokenThere, "no service account token in " + log, around(text, token));
  }

  /** What stands before the canary, which tells where the line comes from. */
  private static String around(String text, Canary canary) {
    int at = text.indexOf(canary.value());
    int from = text.lastIndexOf('\n', Math.max(0, at)) + 1;
    return at < 0 ? "" : text.substring(from, at) + "<the secret>";
  }

  /** Every call of the lives of some volumes, and the reading ones that have secrets. */
  private static void succeed(CaseContext c, Canary token) {
    ReplayLife life = new ReplayLife(c);
    for (Step step : life.forth()) {
      c.ok("GEN-SEC-004", () -> step.call().apply(c));
    }
    Volume volume = c.make().volume();
    c.ok("GEN-SEC-004", () -> ValidateCases.validate(c, volume, c.requests().capability()));
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      c.ok(
          "GEN-SEC-004",
          () -> c.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()));
    }
    if (c.advertises("service:Node")) {
      onNode(c, volume, token);
    }
    for (Step step : life.back()) {
      c.ok("GEN-SEC-004", () -> step.call().apply(c));
    }
  }

  private static void onNode(CaseContext c, Volume volume, Canary token) {
    NodeWork node = c.make().onNode();
    OnNode onNode = node.stage(volume, c.requests().capability());
    String target = node.targetPath();
    var publish =
        onNode
            .publishRequest(target)
            .putVolumeContext(TOKENS, "{\"csi\":{\"token\":\"" + token.value() + "\"}}")
            .build();
    c.ok("GEN-SEC-004", () -> c.node().nodePublishVolume(publish));
    if (c.advertises("node:EXPAND_VOLUME") && c.advertises("plugin:VolumeExpansion.ONLINE")) {
      NodeSteps.growAtController(c, volume);
      var expand =
          NodeExpandVolumeRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .setVolumePath(target)
              .setStagingTargetPath(onNode.stagingPath())
              .setVolumeCapability(onNode.capability())
              .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
              .build();
      c.ok("GEN-SEC-004", () -> c.node().nodeExpandVolume(expand));
    }
    node.unpublish(onNode, target);
    node.remove(onNode);
  }

  /** Refusals are where drivers print whole requests. */
  private static void fail(CaseContext c, Canary secret) {
    for (CsiRpc rpc : Canary.rpcs(c)) {
      Message empty = rpc.emptyRequest();
      for (Message request : List.of(empty, Canary.unknown(c, empty))) {
        Outcome<?> outcome = Outcome.of(() -> rpc.call(c.channel(rpc.service()), request));
        c.check(
            ROW,
            !outcome.message().contains(secret.value()),
            "no secret in the refusal of " + rpc.title(),
            "the value of a secret");
      }
    }
  }
}
