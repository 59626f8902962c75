package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCondition;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;

/**
 * What the health monitor does, in the form of CSI 1.12 (conditions inside other answers) and in
 * that of 1.13: it looks at all volumes, or at each alone, now and again.
 */
final class HealthMonitorCases implements CaseGroup {
  private static final String ROW = "ENGINE-CALLER-019";
  private static final Duration MONITOR = Duration.ofSeconds(15);
  private static final int LOOKS = 2;
  private static final int MOST_PAGES = 1000;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-health-monitor",
            "Volumes are watched as the health monitor does it",
            HealthMonitorCases::watch,
            ROW));
  }

  private static void watch(CaseContext context) {
    CaseContext c = context.calling(false, MONITOR);
    c.ok(ROW, () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
    c.ok(
        ROW,
        () ->
            c.controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance()));
    Volume volume = c.make().volume();
    for (int i = 0; i < LOOKS; i++) {
      if (c.advertises("ctrl:VOLUME_CONDITION")) {
        conditions(c, volume.getVolumeId());
      }
      health(c, volume.getVolumeId());
    }
    c.prepare(() -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    gone(c, volume.getVolumeId());
  }

  private static void conditions(CaseContext c, String id) {
    if (c.advertises("ctrl:LIST_VOLUMES")) {
      List<ListVolumesResponse.Entry> own =
          Listing.volumes(c).stream()
              .filter(entry -> entry.getVolume().getVolumeId().equals(id))
              .toList();
      c.check(ROW, own.size() == 1, "the volume once in the list", own);
      own.forEach(
          entry ->
              normal(
                  c,
                  entry.getStatus().hasVolumeCondition(),
                  entry.getStatus().getVolumeCondition()));
    }
    if (c.advertises("ctrl:GET_VOLUME")) {
      var status = Retries.answer(c, ROW, () -> get(c, id)).getStatus();
      normal(c, status.hasVolumeCondition(), status.getVolumeCondition());
    }
  }

  private static void normal(CaseContext c, boolean told, VolumeCondition condition) {
    c.check(ROW, told && !condition.getAbnormal(), "a condition, which is not abnormal", condition);
  }

  private static dev.csijava.spec.v1.ControllerGetVolumeResponse get(CaseContext c, String id) {
    return c.controller()
        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  private static void health(CaseContext c, String id) {
    if (c.advertises("ctrl:LIST_VOLUME_HEALTH")) {
      String token = "";
      int pages = 0;
      do {
        ControllerListVolumeHealthRequest request =
            ControllerListVolumeHealthRequest.newBuilder().setStartingToken(token).build();
        ControllerListVolumeHealthResponse page =
            Retries.answer(c, ROW, () -> c.controller().controllerListVolumeHealth(request));
        c.check(
            ROW,
            page.getEntriesList().stream().noneMatch(entry -> entry.getVolumeId().equals(id)),
            "only volumes that are not healthy",
            page);
        token = page.getNextToken();
      } while (!token.isEmpty() && ++pages < MOST_PAGES);
    }
    if (c.advertises("ctrl:GET_VOLUME_HEALTH")) {
      var answer = Retries.answer(c, ROW, () -> healthOf(c, id)).getVolumeHealth();
      c.check(ROW, answer.getHealthStatusesCount() == 0, "nothing that is wrong", answer);
    }
  }

  private static dev.csijava.spec.v1.ControllerGetVolumeHealthResponse healthOf(
      CaseContext c, String id) {
    return c.controller()
        .controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(id).build());
  }

  /** A volume that the monitor takes for lost, though it was deleted, would raise an alarm. */
  private static void gone(CaseContext c, String id) {
    if (c.advertises("ctrl:VOLUME_CONDITION") && c.advertises("ctrl:GET_VOLUME")) {
      notFound(c, Retries.outcome(c, () -> get(c, id)));
    }
    if (c.advertises("ctrl:GET_VOLUME_HEALTH")) {
      notFound(c, Retries.outcome(c, () -> healthOf(c, id)));
    }
  }

  private static void notFound(CaseContext c, Outcome<?> outcome) {
    c.check(ROW, outcome.code() == Status.Code.NOT_FOUND, "NOT_FOUND after the deletion", outcome);
  }
}
