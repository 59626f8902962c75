package dev.csijava.examples.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import org.junit.jupiter.api.Test;

/** What is read from a request, and what is refused. */
class PodFilesTest {
  private static final String TOKENS = "{\"vault\":{\"token\":\"t1\"}}";

  @Test
  void thePodIsDescribedByFourFiles() {
    assertThat(PodFiles.of(request().build()))
        .containsOnlyKeys("name", "namespace", "uid", "service-account")
        .containsEntry("name", "web-0")
        .containsEntry("namespace", "shop")
        .containsEntry("uid", "uid-1")
        .containsEntry("service-account", "cashier");
  }

  @Test
  void aTokenIsThereForWhoAsksForIt() {
    NodePublishVolumeRequest.Builder asked = request().putVolumeContext("audience", "vault");

    assertThatThrownBy(() -> PodFiles.of(asked.build())).hasMessageContaining("tokenRequests");
    assertThat(
            PodFiles.of(
                asked
                    .clone()
                    .putVolumeContext(KubernetesKeys.SERVICE_ACCOUNT_TOKENS, TOKENS)
                    .build()))
        .containsEntry("token", "t1");
    assertThat(
            PodFiles.of(
                asked.clone().putSecrets(KubernetesKeys.SERVICE_ACCOUNT_TOKENS, TOKENS).build()))
        .containsEntry("token", "t1");
  }

  @Test
  void whatIsNoInlineVolumeOfAPodIsRefused() {
    assertThatThrownBy(() -> PodFiles.of(NodePublishVolumeRequest.getDefaultInstance()))
        .hasMessageContaining("podInfoOnMount");
    assertThatThrownBy(
            () ->
                PodFiles.of(request().putVolumeContext(KubernetesKeys.EPHEMERAL, "false").build()))
        .hasMessageContaining("inline");
    assertThatThrownBy(
            () -> PodFiles.of(request().putVolumeContext("../../etc/shadow", "x").build()))
        .hasMessageContaining("attribute");
  }

  static NodePublishVolumeRequest.Builder request() {
    return NodePublishVolumeRequest.newBuilder()
        .putVolumeContext(KubernetesKeys.POD_NAME, "web-0")
        .putVolumeContext(KubernetesKeys.POD_NAMESPACE, "shop")
        .putVolumeContext(KubernetesKeys.POD_UID, "uid-1")
        .putVolumeContext(KubernetesKeys.SERVICE_ACCOUNT_NAME, "cashier")
        .putVolumeContext(KubernetesKeys.EPHEMERAL, "true");
  }
}
