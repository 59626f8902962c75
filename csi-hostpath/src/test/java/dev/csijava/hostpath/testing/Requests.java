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
    return block(Mode.SINGLE_NODE_WRITER);
  }

  /** A raw block volume in this mode. */
  public static VolumeCapability block(Mode mode) {
    return VolumeCapability.newBuilder()
        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
        .setAccessMode(mode(mode))
        .build();
  }

  /** A mounted volume with this file system. */
  public static VolumeCapability fileSystem(String type, Mode mode, String... flags) {
    VolumeCapability.Builder capability = mount(mode, flags).toBuilder();
    capability.getMountBuilder().setFsType(type);
    return capability.build();
  }

  /** An image of this size in which pods share one file system. */
  public static CreateVolumeRequest.Builder image(String name, String type, long bytes) {
    return sized(name, bytes)
        .putParameters("backing", "image")
        .addVolumeCapabilities(fileSystem(type, Mode.SINGLE_NODE_MULTI_WRITER));
  }

  /** A raw block volume of this size. */
  public static CreateVolumeRequest.Builder blockVolume(String name, long bytes) {
    return sized(name, bytes).addVolumeCapabilities(block(Mode.SINGLE_NODE_MULTI_WRITER));
  }

  private static CreateVolumeRequest.Builder sized(String name, long bytes) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes));
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
