package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.util.List;

/** The health RPCs of CSI 1.13. */
final class HealthCases implements CaseGroup {
  private static final String STRANGE_TOKEN = "csi-testkit: no token";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("V113-CAPS-001", c -> c.ok(() -> get(c, c.make().volume().getVolumeId()))),
        Case.of("V113-CAPS-002", c -> c.ok(() -> list(c, 0, ""))),
        Case.of("V113-CAPS-003", c -> c.ok(() -> onNode(c, published(c)))),
        Case.of("V113-CAPS-004", c -> c.ok(() -> storage(c))),
        Case.of(
            "V113-CAPS-005",
            c -> {
              OlderHealth.needAbsence(c, CsiRpc.CONTROLLER_GET_VOLUME_HEALTH);
              c.refused(() -> get(c, "some-volume"));
            }),
        Case.of(
            "V113-CAPS-006",
            c -> {
              OlderHealth.needAbsence(c, CsiRpc.CONTROLLER_LIST_VOLUME_HEALTH);
              c.refused(() -> list(c, 0, ""));
            }),
        Case.of(
            "V113-CAPS-007",
            c -> {
              OlderHealth.needAbsence(c, CsiRpc.NODE_GET_VOLUME_HEALTH);
              c.refused(
                  () ->
                      onNode(
                          c,
                          NodeGetVolumeHealthRequest.newBuilder()
                              .setVolumeId("some-volume")
                              .setVolumePublishPath(c.make().onNode().targetPath())));
            }),
        Case.of(
            "V113-CAPS-008",
            c -> {
              OlderHealth.needAbsence(c, CsiRpc.NODE_GET_STORAGE_HEALTH);
              c.refused(() -> storage(c));
            }),
        Case.of("V113-CHEALTH-001", c -> c.refused(() -> get(c, ""))),
        Case.of("V113-CHEALTH-002", c -> c.refused(() -> get(c, c.requests().unknownId()))),
        Case.of("V113-CHEALTH-003", HealthCases::healthyVolume),
        Case.of("V113-LHEALTH-001", HealthCases::healthyVolumes),
        Case.of("V113-LHEALTH-004", c -> c.refused(() -> list(c, 1, STRANGE_TOKEN))),
        Case.of("V113-NHEALTH-001", HealthCases::missingFields),
        Case.of("V113-NHEALTH-002", HealthCases::unknownOnNode),
        Case.of(
            "V113-NHEALTH-003",
            c -> {
              NodeGetVolumeHealthRequest.Builder request = published(c);
              VolumeHealth health = c.ok(() -> onNode(c, request)).getVolumeHealth();
              c.same("V113-NHEALTH-003", request.getVolumeId(), health.getVolumeId());
              c.same("V113-NHEALTH-003", 0, health.getHealthStatusesCount());
            }),
        Case.of(
            "V113-SHEALTH-001",
            c -> {
              NodeGetStorageHealthResponse answer = c.ok(() -> storage(c));
              c.check(
                  answer.getBackendHealthCount() == 0,
                  "an empty list, as long as the back end is healthy",
                  answer);
            }));
  }

  private static ControllerGetVolumeHealthResponse get(CaseContext c, String volumeId) {
    return c.controller()
        .controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(volumeId).build());
  }

  private static ControllerListVolumeHealthResponse list(
      CaseContext c, int maxEntries, String token) {
    return c.controller()
        .controllerListVolumeHealth(
            ControllerListVolumeHealthRequest.newBuilder()
                .setMaxEntries(maxEntries)
                .setStartingToken(token)
                .build());
  }

  private static NodeGetVolumeHealthResponse onNode(
      CaseContext c, NodeGetVolumeHealthRequest.Builder request) {
    return c.node().nodeGetVolumeHealth(request.build());
  }

  private static NodeGetStorageHealthResponse storage(CaseContext c) {
    return c.node().nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance());
  }

  private static NodeGetVolumeHealthRequest.Builder published(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    return NodeGetVolumeHealthRequest.newBuilder()
        .setVolumeId(volume.volume().getVolumeId())
        .setVolumePublishPath(c.make().onNode().publish(volume));
  }

  private static void healthyVolume(CaseContext c) {
    Volume volume = c.make().volume();
    VolumeHealth health = c.ok(() -> get(c, volume.getVolumeId())).getVolumeHealth();
    c.same("V113-CHEALTH-003", volume.getVolumeId(), health.getVolumeId());
    c.same("V113-CHEALTH-003", 0, health.getHealthStatusesCount());
  }

  /** Volumes that others have may be ill; ours are not. */
  private static void healthyVolumes(CaseContext c) {
    Volume volume = c.make().volume();
    ControllerListVolumeHealthResponse answer = c.ok(() -> list(c, 0, ""));
    for (VolumeHealth entry : answer.getEntriesList()) {
      c.check(
          !entry.getVolumeId().equals(volume.getVolumeId()) && entry.getHealthStatusesCount() > 0,
          "volumes that are not healthy only",
          entry);
    }
  }

  private static void missingFields(CaseContext c) {
    NodeGetVolumeHealthRequest.Builder request = published(c);
    c.refused(() -> onNode(c, request.clone().setVolumeId("")));
    c.refused(() -> onNode(c, request.clone().setVolumePublishPath("")));
  }

  private static void unknownOnNode(CaseContext c) {
    NodeGetVolumeHealthRequest.Builder request = published(c);
    c.refused(() -> onNode(c, request.clone().setVolumeId(c.requests().unknownId())));
    String nothing = c.make().onNode().targetPath();
    Outcome<?> outcome = Outcome.of(() -> onNode(c, request.clone().setVolumePublishPath(nothing)));
    c.check(outcome.code() == Status.Code.NOT_FOUND, "NOT_FOUND at another path", outcome);
  }
}
