package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.operation.CreateRequests;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Creates that repeat what another driver has answered: of an object that was taken over the
 * request is not known, so a repeat by its name is compared with what is. The first one that
 * matches is written into the record, and from then on it is like any other (rule K8). The caller
 * holds the lock of the name.
 */
public final class TakenOver {
  private final StateDirectory state;

  /**
   * @param state where the objects are
   */
  public TakenOver(StateDirectory state) {
    this.state = state;
  }

  /**
   * The volume of this name, if it was taken over.
   *
   * @param backing what the request asks for
   * @throws CsiException ALREADY_EXISTS if size, access type or source differ; and what a change of
   *     the record throws
   */
  Optional<Record> volume(CreateVolumeRequest request, Backing backing) {
    Optional<Record> found =
        state
            .volumes()
            .byName(request.getName())
            .filter(record -> !record.getVolume().hasRequest());
    return found.map(
        volume -> {
          requireEqual(volume.getBacking() == backing, "volume", "its backing");
          requireEqual(
              CapacityPlanner.fits(
                  volume.getSizeBytes(),
                  request.hasCapacityRange() ? request.getCapacityRange() : null),
              "volume",
              "its size");
          requireEqual(
              !volume.getVolume().hasSource()
                  || volume.getVolume().getSource().equals(request.getVolumeContentSource()),
              "volume",
              "volume_content_source");
          return state.volumes().update(volume.getId(), record -> completed(record, request));
        });
  }

  private static Record completed(Record record, CreateVolumeRequest request) {
    Record.Builder whole = record.toBuilder();
    whole
        .getVolumeBuilder()
        .setRequest(CreateRequests.normalise(request))
        .putAllContext(request.getParametersMap())
        .putAllAttributes(KubernetesKeys.withoutReserved(request.getMutableParamsMap()));
    return whole.build();
  }

  /**
   * The snapshot of this name, if it was taken over.
   *
   * @throws CsiException ALREADY_EXISTS if it is one of another volume; and what a change of the
   *     record throws
   */
  Optional<Record> snapshot(CreateSnapshotRequest request) {
    return state
        .snapshots()
        .byName(request.getName())
        .filter(record -> !record.getSnapshot().hasRequest())
        .map(
            snapshot -> {
              requireEqual(
                  snapshot.getSnapshot().getSourceVolumeId().equals(request.getSourceVolumeId()),
                  "snapshot",
                  "source_volume_id");
              return state
                  .snapshots()
                  .update(
                      snapshot.getId(),
                      record -> {
                        Record.Builder whole = record.toBuilder();
                        whole.getSnapshotBuilder().setRequest(CreateRequests.normalise(request));
                        return whole.build();
                      });
            });
  }

  /**
   * The group of this name, if it was taken over. Its record stays as it is.
   *
   * @throws CsiException ALREADY_EXISTS if it is one of other volumes
   */
  public Optional<Record> group(CreateVolumeGroupSnapshotRequest request) {
    return state
        .groups()
        .byName(request.getName())
        .filter(record -> !record.getGroup().hasRequest())
        .map(
            group -> {
              Set<String> sources = new HashSet<>();
              for (Record member : state.groups().members(group)) {
                sources.add(member.getSnapshot().getSourceVolumeId());
              }
              requireEqual(
                  sources.equals(Set.copyOf(request.getSourceVolumeIdsList())),
                  "group snapshot",
                  "source_volume_ids");
              return group;
            });
  }

  private static void requireEqual(boolean equal, String kind, String field) {
    if (!equal) {
      throw CsiException.alreadyExists(
          "a %s of this name was taken over from another driver, and %s differs"
              .formatted(kind, field));
    }
  }
}
