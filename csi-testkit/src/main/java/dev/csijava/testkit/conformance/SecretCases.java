package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Secrets: extra keys do no harm, and no value comes to light. */
final class SecretCases implements CaseGroup {
  private static final String CANARY = "csi-testkit-canary-9b1f6c";
  private static final int PAUSE_MILLIS = 500;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "GEN-SEC-004",
            c -> {
              Map<String, String> all = new HashMap<>(Map.of("csi-testkit-extra", "value"));
              c.settings().secrets().values().forEach(all::putAll);
              everySecret(c, "GEN-SEC-004", all);
            }),
        Case.of(
            "GEN-ERR-008",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.need(
                  c.settings().secrets().containsKey("CreateVolume"),
                  "--secrets with an entry for CreateVolume is not given");
              var request = c.requests().volume().build();
              Outcome<?> bare =
                  Outcome.of(
                      () ->
                          c.controller().withOption(Stubs.NO_SECRETS, true).createVolume(request));
              c.need(!bare.ok(), "the driver works without secrets");
              c.judge("GEN-ERR-008", bare, false);
            }),
        Case.of("GEN-SEC-005", SecretCases::canaries).runAlone());
  }

  private static void canaries(CaseContext c) throws IOException, InterruptedException {
    Path log = c.settings().logFile().orElse(null);
    c.need(log != null && Files.isReadable(log), "--log-file is not given, or can't be read");
    everySecret(c, "GEN-SEC-005", Map.of("csi-testkit-extra", CANARY));
    // Refusals are where drivers print whole requests.
    Outcome<?> refusal =
        Outcome.of(
            () ->
                c.controller()
                    .createVolume(
                        c.requests()
                            .volume()
                            .setName("")
                            .putSecrets("csi-testkit-extra", CANARY)
                            .build()));
    c.check(!refusal.toString().contains(CANARY), "no secret in a status message", refusal);
    Thread.sleep(PAUSE_MILLIS);
    if (log != null) {
      String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
      c.check(!text.contains(CANARY), "no secret in " + log, "the value of a secret");
    }
  }

  /**
   * The same secrets with every call of a volume's life, beside those that the user gave for it.
   */
  private static void everySecret(CaseContext c, String row, Map<String, String> secrets) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    Volume volume =
        c.ok(
            row,
            () ->
                CreateVolumeCases.createVolume(
                    c,
                    c.requests()
                        .volume()
                        .putAllSecrets(c.requests().secrets("CreateVolume", secrets))));
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      var cut =
          c.requests()
              .snapshot(volume.getVolumeId())
              .putAllSecrets(c.requests().secrets("CreateSnapshot", secrets))
              .build();
      c.ok(row, () -> c.controller().createSnapshot(cut));
    }
    if (c.advertises("service:Node")) {
      NodeWork node = c.make().onNode();
      OnNode onNode = node.attach(volume, c.requests().capability());
      if (!onNode.stagingPath().isEmpty()) {
        var stage =
            onNode
                .stageRequest()
                .putAllSecrets(c.requests().secrets("NodeStageVolume", secrets))
                .build();
        c.ok(row, () -> c.node().nodeStageVolume(stage));
      }
      String target = node.targetPath();
      var publish =
          onNode
              .publishRequest(target)
              .putAllSecrets(c.requests().secrets("NodePublishVolume", secrets))
              .build();
      c.ok(row, () -> c.node().nodePublishVolume(publish));
      node.unpublish(onNode, target);
      node.remove(onNode);
    }
    Volume other = c.make().volume();
    c.ok(
        row,
        () ->
            c.controller()
                .deleteVolume(
                    DeleteVolumeRequest.newBuilder()
                        .setVolumeId(other.getVolumeId())
                        .putAllSecrets(c.requests().secrets("DeleteVolume", secrets))
                        .build()));
  }
}
