package dev.csijava.core.kubelet;

import dev.csijava.core.CsiException;
import java.util.Map;
import java.util.Optional;

/**
 * The pod for which NodePublishVolume is called.
 *
 * <p>Kubelet says so only if the CSIDriver object has {@code podInfoOnMount: true}. Where it has
 * not, the same keys could come from whoever wrote the PersistentVolume: decide nothing by them
 * there.
 *
 * @param name the pod's name
 * @param namespace the pod's namespace
 * @param uid the pod's UID
 * @param serviceAccount the name of the pod's service account; empty if not said
 * @param ephemeral whether it is an inline volume, which lives as long as the pod
 * @since 0.1.0
 */
public record PodInfo(
    String name, String namespace, String uid, String serviceAccount, boolean ephemeral) {

  /**
   * Reads the pod from a volume_context.
   *
   * @return empty if it names no pod
   * @throws CsiException INVALID_ARGUMENT if only some of name, namespace and UID are there
   * @since 0.1.0
   */
  public static Optional<PodInfo> of(Map<String, String> volumeContext) {
    return KubernetesKeys.together(
            volumeContext,
            KubernetesKeys.POD_NAME,
            KubernetesKeys.POD_NAMESPACE,
            KubernetesKeys.POD_UID)
        .map(
            pod ->
                new PodInfo(
                    pod[0],
                    pod[1],
                    pod[2],
                    volumeContext.getOrDefault(KubernetesKeys.SERVICE_ACCOUNT_NAME, ""),
                    isEphemeral(volumeContext)));
  }

  /**
   * Whether a volume_context is that of an inline volume, also when it names no pod.
   *
   * @since 0.1.0
   */
  public static boolean isEphemeral(Map<String, String> volumeContext) {
    return "true".equals(volumeContext.get(KubernetesKeys.EPHEMERAL));
  }
}
