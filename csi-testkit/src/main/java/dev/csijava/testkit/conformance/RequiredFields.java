package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.spec.v1.VolumeUsage;
import java.util.Optional;

/** Which required field an answer lacks. */
final class RequiredFields {
  private RequiredFields() {}

  static Optional<String> missing(Message answer) {
    if (answer instanceof GetPluginInfoResponse r) {
      return lacks(r.getName().isEmpty(), "name")
          .or(() -> lacks(r.getVendorVersion().isEmpty(), "vendor_version"));
    }
    if (answer instanceof CreateVolumeResponse r) {
      return lacks(r.getVolume().getVolumeId().isEmpty(), "volume.volume_id");
    }
    if (answer instanceof ListVolumesResponse r) {
      return lacks(
          r.getEntriesList().stream().anyMatch(e -> e.getVolume().getVolumeId().isEmpty()),
          "entries.volume.volume_id");
    }
    if (answer instanceof CreateSnapshotResponse r) {
      return snapshot(r.getSnapshot());
    }
    if (answer instanceof GetSnapshotResponse r) {
      return snapshot(r.getSnapshot());
    }
    if (answer instanceof ListSnapshotsResponse r) {
      return r.getEntriesList().stream()
          .flatMap(entry -> snapshot(entry.getSnapshot()).stream())
          .findFirst();
    }
    if (answer instanceof CreateVolumeGroupSnapshotResponse r) {
      return group(r.getGroupSnapshot());
    }
    if (answer instanceof ControllerExpandVolumeResponse r) {
      return lacks(r.getCapacityBytes() <= 0, "capacity_bytes");
    }
    return onNode(answer);
  }

  private static Optional<String> onNode(Message answer) {
    if (answer instanceof NodeGetInfoResponse r) {
      return lacks(r.getNodeId().isEmpty(), "node_id");
    }
    if (answer instanceof NodeGetVolumeStatsResponse r) {
      return lacks(
          r.getUsageList().stream()
              .anyMatch(
                  usage ->
                      usage.getUnit() == VolumeUsage.Unit.UNKNOWN
                          || usage.getTotal() < 0
                          || (usage.getTotal() == 0 && usage.getUnit() == VolumeUsage.Unit.BYTES)),
          "usage.total or usage.unit");
    }
    if (answer instanceof GetMetadataAllocatedResponse r) {
      return lacks(
          r.getBlockMetadataTypeValue() == 0 || r.getVolumeCapacityBytes() <= 0,
          "block_metadata_type or volume_capacity_bytes");
    }
    if (answer instanceof GetMetadataDeltaResponse r) {
      return lacks(
          r.getBlockMetadataTypeValue() == 0 || r.getVolumeCapacityBytes() <= 0,
          "block_metadata_type or volume_capacity_bytes");
    }
    return Optional.empty();
  }

  private static Optional<String> snapshot(Snapshot snapshot) {
    return lacks(snapshot.getSnapshotId().isEmpty(), "snapshot_id")
        .or(() -> lacks(snapshot.getSourceVolumeId().isEmpty(), "source_volume_id"))
        .or(() -> lacks(!snapshot.hasCreationTime(), "creation_time"));
  }

  private static Optional<String> group(VolumeGroupSnapshot group) {
    return lacks(group.getGroupSnapshotId().isEmpty(), "group_snapshot_id")
        .or(() -> lacks(group.getSnapshotsCount() == 0, "snapshots"))
        .or(() -> lacks(!group.hasCreationTime(), "creation_time"));
  }

  private static Optional<String> lacks(boolean missing, String field) {
    return missing ? Optional.of(field) : Optional.empty();
  }
}
