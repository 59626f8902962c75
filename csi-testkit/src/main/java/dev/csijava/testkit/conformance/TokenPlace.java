package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.Map;
import java.util.UUID;

/**
 * Where kubelet puts the tokens of a pod's service account. The CSIDriver object chooses: into
 * {@code volume_context}, or from Kubernetes 1.35 on, with serviceAccountTokenInSecrets, into
 * {@code secrets}, beside those of the volume. The key is the same, and only NodePublishVolume has
 * them. The choice may change while pods run, so that a driver must take both.
 */
enum TokenPlace {
  VOLUME_CONTEXT {
    @Override
    void put(NodePublishVolumeRequest.Builder request, String tokens, Map<String, String> secrets) {
      request.putVolumeContext(KEY, tokens);
    }
  },
  SECRETS {
    @Override
    void put(NodePublishVolumeRequest.Builder request, String tokens, Map<String, String> secrets) {
      request.putAllSecrets(secrets).putSecrets(KEY, tokens);
    }
  };

  private static final String KEY = "csi.storage.k8s.io/serviceAccount.tokens";

  /**
   * Puts tokens into a request.
   *
   * @param secrets those of the volume itself; they are added by others to a request without any
   */
  abstract void put(
      NodePublishVolumeRequest.Builder request, String tokens, Map<String, String> secrets);

  /** One that nobody has had, as kubelet refreshes them. */
  static String fresh() {
    return with(UUID.randomUUID().toString());
  }

  /** Tokens for one audience. */
  static String with(String token) {
    return "{\"csi\":{\"token\":\""
        + token
        + "\",\"expirationTimestamp\":\"2038-01-01T00:00:00Z\"}}";
  }
}
