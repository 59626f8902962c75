package dev.csijava.hostpath.testing;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;

/** Requests as callers send them. */
public final class Requests {
  /** The size that {@link #create} asks for. */
  public static final long SIZE = 1 << 20;

  private Requests() {}

  /** A mounted volume in this mode. */
  public static VolumeCapability mount(Mode mode, String... flags) {
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().setFsType("ext4").addAllMountFlags(java.util.List.of(flags));
    return capability.setAccessMode(mode(mode)).build();
  }

  /** A raw block volume. */
  public static VolumeCapability block() {
    return VolumeCapability.newBuilder()
        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
        .setAccessMode(mode(Mode.SINGLE_NODE_WRITER))
        .build();
  }

  private static VolumeCapability.AccessMode mode(Mode mode) {
    return VolumeCapability.AccessMode.newBuilder().setMode(mode).build();
  }

  /** A volume of {@link #SIZE} bytes for one writer. */
  public static CreateVolumeRequest.Builder create(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
        .addVolumeCapabilities(mount(Mode.SINGLE_NODE_WRITER));
  }

  /** A snapshot. */
  public static CreateSnapshotRequest.Builder snapshot(String name, String volumeId) {
    return CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(volumeId);
  }

  /** From a snapshot. */
  public static VolumeContentSource fromSnapshot(String snapshotId) {
    VolumeContentSource.Builder source = VolumeContentSource.newBuilder();
    source.getSnapshotBuilder().setSnapshotId(snapshotId);
    return source.build();
  }

  /** From a volume. */
  public static VolumeContentSource fromVolume(String volumeId) {
    VolumeContentSource.Builder source = VolumeContentSource.newBuilder();
    source.getVolumeBuilder().setVolumeId(volumeId);
    return source.build();
  }
}
