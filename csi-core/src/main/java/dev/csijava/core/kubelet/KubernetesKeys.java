package dev.csijava.core.kubelet;

import dev.csijava.core.CsiException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that Kubernetes puts into {@code parameters}, {@code volume_context} and {@code
 * secrets}, next to those of the driver.
 *
 * <p>A driver that checks its parameters leaves these out first ({@link #withoutReserved}): which
 * of them arrive depends on the flags of the sidecars, and GetCapacity gets all of the storage
 * class. What they hold is read through {@link PodInfo}, {@link ServiceAccountTokens}, {@link
 * ClaimInfo} and {@link SnapshotInfo}.
 *
 * @since 0.1.0
 */
public final class KubernetesKeys {
  /**
   * What the keys begin with.
   *
   * @since 0.1.0
   */
  public static final String PREFIX = "csi.storage.k8s.io/";

  /**
   * The pod's name; with NodePublishVolume, if the CSIDriver object has podInfoOnMount.
   *
   * @since 0.1.0
   */
  public static final String POD_NAME = PREFIX + "pod.name";

  /**
   * The pod's namespace; comes with {@link #POD_NAME}.
   *
   * @since 0.1.0
   */
  public static final String POD_NAMESPACE = PREFIX + "pod.namespace";

  /**
   * The pod's UID; comes with {@link #POD_NAME}.
   *
   * @since 0.1.0
   */
  public static final String POD_UID = PREFIX + "pod.uid";

  /**
   * The name of the pod's service account; comes with {@link #POD_NAME}.
   *
   * @since 0.1.0
   */
  public static final String SERVICE_ACCOUNT_NAME = PREFIX + "serviceAccount.name";

  /**
   * "true" for an inline volume, else "false"; comes with {@link #POD_NAME}.
   *
   * @since 0.1.0
   */
  public static final String EPHEMERAL = PREFIX + "ephemeral";

  /**
   * The pod's tokens as JSON, <b>a secret</b>: in {@code volume_context}, or in {@code secrets}
   * (from Kubernetes 1.35, if the CSIDriver object says so).
   *
   * @since 0.1.0
   */
  public static final String SERVICE_ACCOUNT_TOKENS = PREFIX + "serviceAccount.tokens";

  /**
   * The file system of a storage class; the provisioner puts it into the capability.
   *
   * @since 0.1.0
   */
  public static final String FS_TYPE = PREFIX + "fstype";

  /**
   * The claim's name; with CreateVolume, if the provisioner has --extra-create-metadata.
   *
   * @since 0.1.0
   */
  public static final String PVC_NAME = PREFIX + "pvc/name";

  /**
   * The claim's namespace; comes with {@link #PVC_NAME}.
   *
   * @since 0.1.0
   */
  public static final String PVC_NAMESPACE = PREFIX + "pvc/namespace";

  /**
   * The name of the PersistentVolume; comes with {@link #PVC_NAME}.
   *
   * @since 0.1.0
   */
  public static final String PV_NAME = PREFIX + "pv/name";

  /**
   * With CreateSnapshot, if the snapshotter has --extra-create-metadata.
   *
   * @since 0.1.0
   */
  public static final String SNAPSHOT_NAME = PREFIX + "volumesnapshot/name";

  /**
   * Comes with {@link #SNAPSHOT_NAME}.
   *
   * @since 0.1.0
   */
  public static final String SNAPSHOT_NAMESPACE = PREFIX + "volumesnapshot/namespace";

  /**
   * Comes with {@link #SNAPSHOT_NAME}.
   *
   * @since 0.1.0
   */
  public static final String SNAPSHOT_CONTENT_NAME = PREFIX + "volumesnapshotcontent/name";

  /**
   * With CreateVolumeGroupSnapshot, if the snapshotter has --extra-create-metadata.
   *
   * @since 0.1.0
   */
  public static final String GROUP_SNAPSHOT_NAME = PREFIX + "volumegroupsnapshot/name";

  /**
   * Comes with {@link #GROUP_SNAPSHOT_NAME}.
   *
   * @since 0.1.0
   */
  public static final String GROUP_SNAPSHOT_NAMESPACE = PREFIX + "volumegroupsnapshot/namespace";

  /**
   * Comes with {@link #GROUP_SNAPSHOT_NAME}.
   *
   * @since 0.1.0
   */
  public static final String GROUP_SNAPSHOT_CONTENT_NAME =
      PREFIX + "volumegroupsnapshotcontent/name";

  /**
   * Which provisioner made the volume: is added to the volume_context of every volume.
   *
   * @since 0.1.0
   */
  public static final String PROVISIONER_IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";

  private KubernetesKeys() {}

  /**
   * Whether a key belongs to Kubernetes, known here or not, and so is none of the driver's.
   *
   * @since 0.1.0
   */
  public static boolean isReserved(String key) {
    return key.startsWith(PREFIX) || key.equals(PROVISIONER_IDENTITY);
  }

  /**
   * The entries that are the driver's own, in their order.
   *
   * @param entries parameters or a volume_context
   * @return an unmodifiable copy
   * @since 0.1.0
   */
  public static Map<String, String> withoutReserved(Map<String, String> entries) {
    Map<String, String> own = new LinkedHashMap<>();
    entries.forEach(
        (key, value) -> {
          if (!isReserved(key)) {
            own.put(key, value);
          }
        });
    return Collections.unmodifiableMap(own);
  }

  /** The values of keys that come together: all of them or none, else INVALID_ARGUMENT. */
  static Optional<String[]> together(Map<String, String> entries, String... keys) {
    String[] values = new String[keys.length];
    int found = 0;
    String missing = "";
    for (int i = 0; i < keys.length; i++) {
      String value = entries.getOrDefault(keys[i], "");
      values[i] = value;
      if (value.isEmpty()) {
        missing = keys[i];
      } else {
        found++;
      }
    }
    if (found == 0) {
      return Optional.empty();
    }
    if (found < keys.length) {
      throw CsiException.invalidArgument(
          "the key " + missing + " is missing or empty, but others of its kind are there");
    }
    return Optional.of(values);
  }
}
