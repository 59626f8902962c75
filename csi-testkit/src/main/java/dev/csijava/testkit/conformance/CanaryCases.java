package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import dev.csijava.testkit.conformance.ReplayLife.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The secrets engine: canaries in every secret field, and a look for them everywhere. */
final class CanaryCases implements CaseGroup {
  private static final String ROW = "ENGINE-SECRETS-001";
  private static final String LOG = "GEN-SEC-005";
  private static final String OTHER = "GEN-SEC-006";
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
    Canary outside = new Canary();
    Canary inside = new Canary();
    Map<TokenPlace, Canary> tokens =
        Map.of(TokenPlace.VOLUME_CONTEXT, outside, TokenPlace.SECRETS, inside);
    CaseContext c = context.carrying(secret.secrets());
    if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      succeed(c, secret, tokens);
    }
    fail(c, secret);
    if (c.advertises("service:Node")) {
      failWithTokens(c, secret, tokens);
    }
    List<Canary> all = List.of(secret, outside, inside);
    for (CallRecord call : context.calls()) {
      boolean there = all.stream().anyMatch(one -> call.response().contains(one.value()));
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
    absent(c, LOG, "no secret", text, secret);
    absent(c, LOG, "no service account token of secrets", text, inside);
    absent(c, OTHER, "no service account token", text, outside);
  }

  private static void absent(CaseContext c, String row, String what, String log, Canary canary) {
    c.check(row, !log.contains(canary.value()), what + " in the log", around(log, canary));
  }

  /** What stands before the canary, which tells where the line comes from. */
  private static String around(String text, Canary canary) {
    int at = text.indexOf(canary.value());
    int from = text.lastIndexOf('\n', Math.max(0, at)) + 1;
    return at < 0 ? "" : text.substring(from, at) + "<the secret>";
  }

  /** Every call of the lives of some volumes, and the reading ones that have secrets. */
  private static void succeed(CaseContext c, Canary secret, Map<TokenPlace, Canary> tokens) {
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
      onNode(c, volume, secret, tokens);
    }
    for (Step step : life.back()) {
      c.ok("GEN-SEC-004", () -> step.call().apply(c));
    }
  }

  private static void onNode(
      CaseContext c, Volume volume, Canary secret, Map<TokenPlace, Canary> tokens) {
    NodeWork node = c.make().onNode();
    OnNode onNode = node.stage(volume, c.requests().capability());
    String target = node.targetPath();
    tokens.forEach(
        (place, token) -> {
          var publish = withToken(c, onNode.publishRequest(target), secret, place, token);
          c.ok("GEN-SEC-004", () -> c.node().nodePublishVolume(publish));
        });
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

  private static NodePublishVolumeRequest withToken(
      CaseContext c,
      NodePublishVolumeRequest.Builder request,
      Canary secret,
      TokenPlace place,
      Canary token) {
    Map<String, String> secrets = new HashMap<>(secret.secrets());
    secrets.putAll(c.settings().secrets().getOrDefault("NodePublishVolume", Map.of()));
    place.put(request, TokenPlace.with(token.value()), secrets);
    return request.build();
  }

  /** A publication that can't be, with tokens in either place. */
  private static void failWithTokens(CaseContext c, Canary secret, Map<TokenPlace, Canary> tokens) {
    tokens.forEach(
        (place, token) -> {
          NodePublishVolumeRequest.Builder request =
              NodePublishVolumeRequest.newBuilder()
                  .setVolumeId(c.requests().unknownId())
                  .setTargetPath(c.make().onNode().targetPath())
                  .setVolumeCapability(c.requests().capability());
          var publish = withToken(c, request, secret, place, token);
          Outcome<?> outcome = Outcome.of(() -> c.node().nodePublishVolume(publish));
          c.check(
              ROW,
              !outcome.message().contains(token.value()),
              "no token in the refusal of NodePublishVolume",
              "a token of " + place);
        });
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
