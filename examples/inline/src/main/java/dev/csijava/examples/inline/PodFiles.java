package dev.csijava.examples.inline;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.kubelet.PodInfo;
import dev.csijava.core.kubelet.ServiceAccountTokens;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a volume holds, by the name of the file: {@code name}, {@code namespace}, {@code uid} and
 * {@code service-account} of the pod, and {@code token} if the volume's attribute {@code audience}
 * asks for one.
 */
final class PodFiles {
  private static final String AUDIENCE = "audience";

  private PodFiles() {}

  /**
   * Reads a request.
   *
   * @throws CsiException INVALID_ARGUMENT if it is not for an inline volume of a pod, or asks for
   *     what is not known
   */
  static Map<String, String> of(NodePublishVolumeRequest request) {
    Map<String, String> context = request.getVolumeContextMap();
    PodInfo pod =
        PodInfo.of(context)
            .orElseThrow(
                () ->
                    CsiException.invalidArgument(
                        "no pod is named; the CSIDriver object needs podInfoOnMount: true"));
    if (!pod.ephemeral()) {
      throw CsiException.invalidArgument("only inline volumes of a pod are served");
    }
    Map<String, String> attributes = KubernetesKeys.withoutReserved(context);
    if (!Set.of(AUDIENCE).containsAll(attributes.keySet())) {
      throw CsiException.invalidArgument("the only attribute of these volumes is " + AUDIENCE);
    }
    Map<String, String> files = new TreeMap<>();
    files.put("name", pod.name());
    files.put("namespace", pod.namespace());
    files.put("uid", pod.uid());
    files.put("service-account", pod.serviceAccount());
    if (attributes.containsKey(AUDIENCE)) {
      files.put("token", token(request, attributes.getOrDefault(AUDIENCE, "")));
    }
    return files;
  }

  private static String token(NodePublishVolumeRequest request, String audience) {
    return ServiceAccountTokens.of(request.getVolumeContextMap(), request.getSecretsMap())
        .token(audience)
        .orElseThrow(
            () ->
                CsiException.invalidArgument(
                    "there is no token for the audience; list it in the tokenRequests of the"
                        + " CSIDriver object"));
  }
}
