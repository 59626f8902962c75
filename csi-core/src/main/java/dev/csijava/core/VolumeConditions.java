package dev.csijava.core;

import dev.csijava.core.health.ControllerHealth;
import dev.csijava.core.health.NodeHealth;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeHealth;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells callers of CSI 1.12 what the health handlers know: fills {@code volume_condition} into the
 * answers that have a place for it, where the driver left it unset.
 */
final class VolumeConditions {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeConditions.class);
  private static final int LONGEST_MESSAGE = 128;

  private VolumeConditions() {}

  static void fillIn(Handlers handlers, ControllerHealth health) {
    handlers.<ListVolumesRequest, ListVolumesResponse>decorate(
        Rpc.LIST_VOLUMES,
        inner -> (request, call) -> listed(inner.handle(request, call), health, call));
    handlers.<ControllerGetVolumeRequest, ControllerGetVolumeResponse>decorate(
        Rpc.CONTROLLER_GET_VOLUME,
        inner -> (request, call) -> found(inner.handle(request, call), health, call));
  }

  static void fillIn(Handlers handlers, NodeHealth health) {
    handlers.<NodeGetVolumeStatsRequest, NodeGetVolumeStatsResponse>decorate(
        Rpc.NODE_GET_VOLUME_STATS,
        inner -> (request, call) -> measured(inner.handle(request, call), request, health, call));
  }

  private static ListVolumesResponse listed(
      ListVolumesResponse response, ControllerHealth health, CallContext call) {
    ListVolumesResponse.Builder filled = response.toBuilder().clearEntries();
    for (ListVolumesResponse.Entry entry : response.getEntriesList()) {
      if (entry.getStatus().hasVolumeCondition()) {
        filled.addEntries(entry);
      } else {
        conditionOfListed(health, entry.getVolume().getVolumeId(), call)
            .ifPresent(
                condition -> {
                  ListVolumesResponse.Entry.Builder whole = entry.toBuilder();
                  whole.getStatusBuilder().setVolumeCondition(condition);
                  filled.addEntries(whole);
                });
      }
    }
    return filled.build();
  }

  /** Nothing for a volume that was deleted while the list was made: one volume fails no list. */
  private static Optional<VolumeCondition> conditionOfListed(
      ControllerHealth health, String volumeId, CallContext call) {
    try {
      return Optional.of(condition(health, volumeId, call));
    } catch (CsiException e) {
      return unknown(e.code(), e.getMessage());
    } catch (StatusRuntimeException e) {
      return unknown(e.getStatus().getCode(), String.valueOf(e.getStatus().getDescription()));
    } catch (RuntimeException e) {
      LOG.warn("call {} {}: the health of {} is not known", call.id(), call.rpc(), volumeId, e);
      return unknown(Status.Code.UNKNOWN, "see the driver's log under call " + call.id());
    }
  }

  private static Optional<VolumeCondition> unknown(Status.Code code, String why) {
    if (code == Status.Code.NOT_FOUND) {
      return Optional.empty();
    }
    return Optional.of(
        VolumeCondition.newBuilder()
            .setAbnormal(true)
            .setMessage(cut("the health is not known: " + why))
            .build());
  }

  private static ControllerGetVolumeResponse found(
      ControllerGetVolumeResponse response, ControllerHealth health, CallContext call) {
    if (response.getStatus().hasVolumeCondition()) {
      return response;
    }
    ControllerGetVolumeResponse.Builder filled = response.toBuilder();
    filled
        .getStatusBuilder()
        .setVolumeCondition(condition(health, response.getVolume().getVolumeId(), call));
    return filled.build();
  }

  private static NodeGetVolumeStatsResponse measured(
      NodeGetVolumeStatsResponse response,
      NodeGetVolumeStatsRequest request,
      NodeHealth health,
      CallContext call) {
    if (response.hasVolumeCondition()) {
      return response;
    }
    NodeGetVolumeHealthRequest question =
        NodeGetVolumeHealthRequest.newBuilder()
            .setVolumeId(request.getVolumeId())
            .setVolumePublishPath(request.getVolumePath())
            .setStagingTargetPath(request.getStagingTargetPath())
            .build();
    return response.toBuilder()
        .setVolumeCondition(condition(health.nodeGetVolumeHealth(question, call).getVolumeHealth()))
        .build();
  }

  private static VolumeCondition condition(
      ControllerHealth health, String volumeId, CallContext call) {
    ControllerGetVolumeHealthRequest question =
        ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(volumeId).build();
    return condition(health.controllerGetVolumeHealth(question, call).getVolumeHealth());
  }

  static VolumeCondition condition(VolumeHealth health) {
    String message =
        health.getHealthStatusesList().stream()
            .map(entry -> entry.getReason() + ": " + entry.getMessage())
            .collect(Collectors.joining("; "));
    return VolumeCondition.newBuilder()
        .setAbnormal(health.getHealthStatusesCount() > 0)
        .setMessage(message.isEmpty() ? "the volume is healthy" : cut(message))
        .build();
  }

  /** Cuts at a character's border, so that the text stays within the limit for strings. */
  private static String cut(String message) {
    // No character takes less than a byte: most of a long text need not be looked at.
    String text = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
    while (TextChecks.longerThan(LONGEST_MESSAGE, text) || endsWithin(text, message)) {
      text = text.substring(0, text.length() - 1);
    }
    return text;
  }

  /** Whether the text ends with the first half of a character of the message. */
  private static boolean endsWithin(String text, String message) {
    int end = text.length();
    return end > 0
        && end < message.length()
        && Character.isSurrogatePair(text.charAt(end - 1), message.charAt(end));
  }
}
