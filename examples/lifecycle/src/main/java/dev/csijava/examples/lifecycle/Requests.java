package dev.csijava.examples.lifecycle;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.spec.v1.VolumeContentSource;
import dev.csijava.spec.v1.VolumeContentSource.SnapshotSource;
import dev.csijava.spec.v1.VolumeContentSource.VolumeSource;
import java.nio.file.Path;

/** The requests that the sidecars and kubelet would send. */
final class Requests {
  /** 64 MiB, in bytes. */
  static final long SIZE = 64L << 20;

  private Requests() {}

  /** A directory that several pods of one node may write: what ReadWriteOnce asks for. */
  static VolumeCapability capability() {
    return VolumeCapability.newBuilder()
        .setMount(MountVolume.getDefaultInstance())
        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
        .build();
  }

  /** A new volume of exactly these bytes. */
  static CreateVolumeRequest create(String name, long bytes) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes).setLimitBytes(bytes))
        .addVolumeCapabilities(capability())
        .build();
  }

  /** The same with the contents of a snapshot. */
  static CreateVolumeRequest restore(String name, String snapshotId) {
    return create(name, SIZE).toBuilder()
        .setVolumeContentSource(
            VolumeContentSource.newBuilder()
                .setSnapshot(SnapshotSource.newBuilder().setSnapshotId(snapshotId)))
        .build();
  }

  /** The same with the contents of another volume. */
  static CreateVolumeRequest copy(String name, String volumeId) {
    return create(name, SIZE).toBuilder()
        .setVolumeContentSource(
            VolumeContentSource.newBuilder()
                .setVolume(VolumeSource.newBuilder().setVolumeId(volumeId)))
        .build();
  }

  static NodeStageVolumeRequest stage(String volumeId, Path staging) {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setStagingTargetPath(staging.toString())
        .setVolumeCapability(capability())
        .build();
  }

  static NodePublishVolumeRequest publish(String volumeId, Path staging, Path target) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setStagingTargetPath(staging.toString())
        .setTargetPath(target.toString())
        .setVolumeCapability(capability())
        .build();
  }
}
