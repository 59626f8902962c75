package dev.csijava.core.kubelet;

import dev.csijava.core.CsiException;
import java.util.Map;
import java.util.Optional;

/**
 * The VolumeSnapshot or VolumeGroupSnapshot for which a snapshot is made. The snapshotter tells it
 * if started with {@code --extra-create-metadata}. Good for labels that people read; a snapshot's
 * identity is the request's {@code name}.
 *
 * @param name the name of the VolumeSnapshot or VolumeGroupSnapshot
 * @param namespace its namespace
 * @param contentName the name of the VolumeSnapshotContent or VolumeGroupSnapshotContent
 * @since 0.1.0
 */
public record SnapshotInfo(String name, String namespace, String contentName) {

  /**
   * Reads it from the parameters of CreateSnapshot.
   *
   * @return empty if they name no snapshot
   * @throws CsiException INVALID_ARGUMENT if only some of the three are there
   * @since 0.1.0
   */
  public static Optional<SnapshotInfo> ofSnapshot(Map<String, String> parameters) {
    return KubernetesKeys.together(
            parameters,
            KubernetesKeys.SNAPSHOT_NAME,
            KubernetesKeys.SNAPSHOT_NAMESPACE,
            KubernetesKeys.SNAPSHOT_CONTENT_NAME)
        .map(SnapshotInfo::of);
  }

  /**
   * Reads it from the parameters of CreateVolumeGroupSnapshot.
   *
   * @return empty if they name no group snapshot
   * @throws CsiException INVALID_ARGUMENT if only some of the three are there
   * @since 0.1.0
   */
  public static Optional<SnapshotInfo> ofGroupSnapshot(Map<String, String> parameters) {
    return KubernetesKeys.together(
            parameters,
            KubernetesKeys.GROUP_SNAPSHOT_NAME,
            KubernetesKeys.GROUP_SNAPSHOT_NAMESPACE,
            KubernetesKeys.GROUP_SNAPSHOT_CONTENT_NAME)
        .map(SnapshotInfo::of);
  }

  private static SnapshotInfo of(String[] names) {
    return new SnapshotInfo(names[0], names[1], names[2]);
  }
}
