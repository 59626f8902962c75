package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability.RPC;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The GroupController service. */
final class FakeGroupController extends GroupControllerGrpc.GroupControllerImplBase {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  FakeGroupController(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  @Override
  public void groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request,
      StreamObserver<GroupControllerGetCapabilitiesResponse> observer) {
    services.answer.with(observer, this::capabilities);
  }

  @Override
  public void createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request,
      StreamObserver<CreateVolumeGroupSnapshotResponse> observer) {
    services.answer.with(observer, () -> create(request));
  }

  @Override
  public void deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request,
      StreamObserver<DeleteVolumeGroupSnapshotResponse> observer) {
    services.answer.with(observer, () -> delete(request));
  }

  @Override
  public void getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request,
      StreamObserver<GetVolumeGroupSnapshotResponse> observer) {
    services.answer.with(observer, () -> get(request));
  }

  private GroupControllerGetCapabilitiesResponse capabilities() {
    FakeServices.gate(settings.groupService(), "GroupControllerGetCapabilities");
    GroupControllerGetCapabilitiesResponse.Builder reply =
        GroupControllerGetCapabilitiesResponse.newBuilder();
    settings.group.forEach(
        type ->
            reply.addCapabilities(
                GroupControllerServiceCapability.newBuilder()
                    .setRpc(GroupControllerServiceCapability.RPC.newBuilder().setType(type))));
    return reply.build();
  }

  private void gate(String rpc) {
    FakeServices.gate(settings.has(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT), rpc);
  }

  private CreateVolumeGroupSnapshotResponse create(CreateVolumeGroupSnapshotRequest request) {
    gate("CreateVolumeGroupSnapshot");
    services.fields.check(request);
    Fields.name(request.getName());
    Fields.required(request.getSourceVolumeIdsCount() > 0, "source_volume_ids");
    request.getSourceVolumeIdsList().forEach(id -> Fields.required(id, "a source volume id"));
    Parameters.check(settings, request.getParametersMap());
    Set<String> wanted = new HashSet<>(request.getSourceVolumeIdsList());
    if (wanted.size() < request.getSourceVolumeIdsCount()) {
      throw Failure.invalid("a volume stands twice in source_volume_ids");
    }
    Instant now = Instant.now();
    Optional<FakeGroup> existing = state.groupNamed(request.getName());
    if (existing.isPresent()) {
      checkSame(existing.get(), wanted, request);
      return CreateVolumeGroupSnapshotResponse.newBuilder()
          .setGroupSnapshot(existing.get().message(now))
          .build();
    }
    FakeGroup group = cut(request, now);
    return CreateVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(group.message(now))
        .build();
  }

  private static void checkSame(
      FakeGroup group, Set<String> wanted, CreateVolumeGroupSnapshotRequest request) {
    Set<String> members =
        group.members().stream().map(FakeSnapshot::sourceVolume).collect(Collectors.toSet());
    if (!members.equals(wanted) || !group.parameters().equals(request.getParametersMap())) {
      throw Failure.exists("a group of that name was made otherwise");
    }
  }

  private FakeGroup cut(CreateVolumeGroupSnapshotRequest request, Instant now) {
    List<FakeVolume> volumes =
        request.getSourceVolumeIdsList().stream().map(state::volume).toList();
    long together =
        volumes.stream()
            .map(
                volume ->
                    volume.request.getParametersMap().getOrDefault(settings.groupParameter, ""))
            .distinct()
            .count();
    if (together > 1) {
      throw Failure.precondition("the volumes are not configured to be cut together");
    }
    services.snapshotter.checkRoom(volumes.size());
    volumes.forEach(services.snapshotter::before);
    String id = state.newId("group");
    List<FakeSnapshot> members = new ArrayList<>();
    for (FakeVolume volume : volumes) {
      members.add(
          services.snapshotter.cut(volume, request.getName(), request.getParametersMap(), id, now));
    }
    FakeGroup group =
        new FakeGroup(id, request.getName(), request.getParametersMap(), now, List.copyOf(members));
    state.groups.put(id, group);
    return group;
  }

  private DeleteVolumeGroupSnapshotResponse delete(DeleteVolumeGroupSnapshotRequest request) {
    gate("DeleteVolumeGroupSnapshot");
    services.fields.check(request);
    Fields.required(request.getGroupSnapshotId(), "group_snapshot_id");
    FakeGroup group = state.groups.get(request.getGroupSnapshotId());
    if (group != null) {
      checkMembers(group, request.getSnapshotIdsList());
      group.members().forEach(services.snapshotter::checkUnused);
      state.snapshots.keySet().removeAll(group.memberIds());
      state.groups.remove(group.id());
    }
    return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
  }

  private GetVolumeGroupSnapshotResponse get(GetVolumeGroupSnapshotRequest request) {
    gate("GetVolumeGroupSnapshot");
    services.fields.check(request);
    Fields.required(request.getGroupSnapshotId(), "group_snapshot_id");
    FakeGroup group = state.groups.get(request.getGroupSnapshotId());
    if (group == null) {
      throw Failure.notFound("group", request.getGroupSnapshotId());
    }
    checkMembers(group, request.getSnapshotIdsList());
    return GetVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(group.message(Instant.now()))
        .build();
  }

  private static void checkMembers(FakeGroup group, List<String> snapshotIds) {
    Fields.required(!snapshotIds.isEmpty(), "snapshot_ids");
    if (!new HashSet<>(snapshotIds).equals(new HashSet<>(group.memberIds()))) {
      throw Failure.invalid("snapshot_ids are not the members of the group");
    }
  }
}
