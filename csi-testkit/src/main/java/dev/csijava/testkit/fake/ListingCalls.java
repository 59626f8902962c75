package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeHealth;
import java.util.Map;
import java.util.TreeMap;

/** The RPCs that show volumes and their health. */
final class ListingCalls {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  ListingCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  ListVolumesResponse list(ListVolumesRequest request) {
    FakeServices.gate(settings.has(RPC.Type.LIST_VOLUMES), "ListVolumes");
    services.fields.check(request);
    Pages<FakeVolume> page =
        Pages.of(state.volumes, request.getMaxEntries(), request.getStartingToken());
    ListVolumesResponse.Builder reply =
        ListVolumesResponse.newBuilder().setNextToken(page.nextToken());
    for (FakeVolume volume : page.entries()) {
      ListVolumesResponse.VolumeStatus.Builder status =
          ListVolumesResponse.VolumeStatus.newBuilder();
      if (settings.has(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)) {
        status.addAllPublishedNodeIds(volume.attachments.keySet());
      }
      if (settings.has(RPC.Type.VOLUME_CONDITION)) {
        status.setVolumeCondition(condition(volume));
      }
      reply.addEntries(
          ListVolumesResponse.Entry.newBuilder().setVolume(volume.message()).setStatus(status));
    }
    return reply.build();
  }

  ControllerGetVolumeResponse get(ControllerGetVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_VOLUME), "ControllerGetVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    FakeVolume volume = state.volume(request.getVolumeId());
    ControllerGetVolumeResponse.VolumeStatus.Builder status =
        ControllerGetVolumeResponse.VolumeStatus.newBuilder();
    if (settings.has(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)) {
      status.addAllPublishedNodeIds(volume.attachments.keySet());
    }
    if (settings.has(RPC.Type.VOLUME_CONDITION)) {
      status.setVolumeCondition(condition(volume));
    }
    return ControllerGetVolumeResponse.newBuilder()
        .setVolume(volume.message())
        .setStatus(status)
        .build();
  }

  static VolumeCondition condition(FakeVolume volume) {
    String message =
        volume.health.isEmpty() ? "the volume is healthy" : volume.health.get(0).getMessage();
    return VolumeCondition.newBuilder()
        .setAbnormal(!volume.health.isEmpty())
        .setMessage(message)
        .build();
  }

  static VolumeHealth health(FakeVolume volume) {
    return VolumeHealth.newBuilder()
        .setVolumeId(volume.id)
        .addAllHealthStatuses(volume.health)
        .build();
  }

  ControllerGetVolumeHealthResponse getHealth(ControllerGetVolumeHealthRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_VOLUME_HEALTH), "ControllerGetVolumeHealth");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(health(state.volume(request.getVolumeId())))
        .build();
  }

  ControllerListVolumeHealthResponse listHealth(ControllerListVolumeHealthRequest request) {
    FakeServices.gate(settings.has(RPC.Type.LIST_VOLUME_HEALTH), "ControllerListVolumeHealth");
    services.fields.check(request);
    Map<String, FakeVolume> unhealthy = new TreeMap<>(state.volumes);
    unhealthy.values().removeIf(volume -> volume.health.isEmpty());
    Pages<FakeVolume> page =
        Pages.of(unhealthy, request.getMaxEntries(), request.getStartingToken());
    return ControllerListVolumeHealthResponse.newBuilder()
        .addAllEntries(page.entries().stream().map(ListingCalls::health).toList())
        .setNextToken(page.nextToken())
        .build();
  }
}
