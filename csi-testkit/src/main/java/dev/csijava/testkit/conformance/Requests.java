package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.BlockVolume;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Requests that are right in everything, as builders: a case changes one thing in them.
 *
 * @since 0.1.0
 */
public final class Requests {
  private final Session session;

  Requests(Session session) {
    this.session = session;
  }

  /**
   * A new volume of the configured size, access type and parameters, under a fresh name. Ends the
   * case, whose open rows are skipped, if the driver makes no volumes.
   *
   * @since 0.1.0
   */
  public CreateVolumeRequest.Builder volume() {
    session.needs("ctrl:CREATE_DELETE_VOLUME");
    return CreateVolumeRequest.newBuilder()
        .setName(session.name())
        .setCapacityRange(atLeast(session.settings().size()))
        .addVolumeCapabilities(capability())
        .putAllParameters(session.settings().parameters());
  }

  /**
   * A new snapshot of the volume, under a fresh name.
   *
   * @since 0.1.0
   */
  public CreateSnapshotRequest.Builder snapshot(String volumeId) {
    return CreateSnapshotRequest.newBuilder()
        .setName(session.name())
        .setSourceVolumeId(volumeId)
        .putAllParameters(session.settings().snapshotParameters());
  }

  /**
   * A new group snapshot of the volumes, under a fresh name.
   *
   * @since 0.1.0
   */
  public CreateVolumeGroupSnapshotRequest.Builder group(Collection<String> volumeIds) {
    return CreateVolumeGroupSnapshotRequest.newBuilder()
        .setName(session.name())
        .addAllSourceVolumeIds(volumeIds)
        .putAllParameters(session.settings().groupSnapshotParameters());
  }

  /**
   * The volume to the node that the driver runs on.
   *
   * @since 0.1.0
   */
  public ControllerPublishVolumeRequest.Builder attach(Volume volume) {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setNodeId(session.nodeInfo().getNodeId())
        .setVolumeCapability(capability())
        .putAllVolumeContext(volume.getVolumeContextMap());
  }

  /**
   * The configured access type, by one writer on one node.
   *
   * @since 0.1.0
   */
  public VolumeCapability capability() {
    return capability(Mode.SINGLE_NODE_WRITER);
  }

  /**
   * The configured access type.
   *
   * @since 0.1.0
   */
  public VolumeCapability capability(Mode mode) {
    return session.settings().accessType() == Settings.AccessType.BLOCK ? block(mode) : mount(mode);
  }

  /**
   * A mounted file system.
   *
   * @since 0.1.0
   */
  public VolumeCapability mount(Mode mode) {
    return of(mode)
        .setMount(MountVolume.newBuilder().setFsType(session.settings().fsType()))
        .build();
  }

  /**
   * A raw block device.
   *
   * @since 0.1.0
   */
  public VolumeCapability block(Mode mode) {
    return of(mode).setBlock(BlockVolume.getDefaultInstance()).build();
  }

  private static VolumeCapability.Builder of(Mode mode) {
    return VolumeCapability.newBuilder().setAccessMode(AccessMode.newBuilder().setMode(mode));
  }

  /**
   * At least so many bytes.
   *
   * @since 0.1.0
   */
  public static CapacityRange atLeast(long bytes) {
    return CapacityRange.newBuilder().setRequiredBytes(bytes).build();
  }

  /**
   * Between these bounds, in bytes.
   *
   * @since 0.1.0
   */
  public static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  /**
   * From this snapshot.
   *
   * @since 0.1.0
   */
  public static VolumeContentSource fromSnapshot(String snapshotId) {
    return VolumeContentSource.newBuilder()
        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshotId))
        .build();
  }

  /**
   * From this volume.
   *
   * @since 0.1.0
   */
  public static VolumeContentSource fromVolume(String volumeId) {
    return VolumeContentSource.newBuilder()
        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volumeId))
        .build();
  }

  /**
   * Secrets for an RPC that whoever checks the user's will not miss: his, and these beside them.
   */
  Map<String, String> secrets(String rpc, Map<String, String> beside) {
    Map<String, String> all = new HashMap<>(beside);
    all.putAll(session.settings().secrets().getOrDefault(rpc, Map.of()));
    return all;
  }

  /**
   * An id that no driver has given.
   *
   * @since 0.1.0
   */
  public String unknownId() {
    return session.unknownId();
  }
}
