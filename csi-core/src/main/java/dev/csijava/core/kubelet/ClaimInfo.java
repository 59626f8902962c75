package dev.csijava.core.kubelet;

import dev.csijava.core.CsiException;
import java.util.Map;
import java.util.Optional;

/**
 * The claim for which CreateVolume is called. The provisioner tells it if started with {@code
 * --extra-create-metadata}. Good for labels that people read; a volume's identity is the request's
 * {@code name}.
 *
 * @param name the name of the PersistentVolumeClaim
 * @param namespace its namespace
 * @param volumeName the name that the PersistentVolume will have
 * @since 0.1.0
 */
public record ClaimInfo(String name, String namespace, String volumeName) {

  /**
   * Reads the claim from the parameters of CreateVolume.
   *
   * @return empty if they name no claim
   * @throws CsiException INVALID_ARGUMENT if only some of the three are there
   * @since 0.1.0
   */
  public static Optional<ClaimInfo> of(Map<String, String> parameters) {
    return KubernetesKeys.together(
            parameters,
            KubernetesKeys.PVC_NAME,
            KubernetesKeys.PVC_NAMESPACE,
            KubernetesKeys.PV_NAME)
        .map(claim -> new ClaimInfo(claim[0], claim[1], claim[2]));
  }
}
