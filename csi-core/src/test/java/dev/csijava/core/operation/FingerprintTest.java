package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.core.Proves;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static final NodePublishVolumeRequest PUBLISH =
      NodePublishVolumeRequest.newBuilder()
          .setVolumeId("vol-1")
          .setTargetPath("/pods/1/mount")
          .putVolumeContext("kind", "fast")
          .build();

  @Test
  void equalRequestsHaveEqualFingerprints() {
    assertThat(Fingerprint.of(PUBLISH))
        .isEqualTo(Fingerprint.of(PUBLISH.toBuilder().build()))
        .hasSameHashCodeAs(Fingerprint.of(PUBLISH.toBuilder().build()));
  }

  @Test
  void podKeysAndServiceAccountTokensDoNotCount() {
    assertThat(
            Fingerprint.of(
                PUBLISH.toBuilder()
                    .putVolumeContext("csi.storage.k8s.io/pod.name", "web-0")
                    .putVolumeContext("csi.storage.k8s.io/pod.uid", "4711")
                    .putVolumeContext("csi.storage.k8s.io/serviceAccount.name", "default")
                    .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", "canary")
                    .build()))
        .isEqualTo(Fingerprint.of(PUBLISH));
  }

  /** Kubernetes 1.35 moves tokens from one place to the other while pods run. */
  @Test
  @Proves("NODE-PUB-012")
  void whereTheTokensAreDoesNotCount() {
    String key = "csi.storage.k8s.io/serviceAccount.tokens";
    NodePublishVolumeRequest bare = PUBLISH.toBuilder().clearVolumeContext().build();
    for (NodePublishVolumeRequest request : List.of(PUBLISH, bare)) {
      assertThat(
              List.of(
                  Fingerprint.of(request.toBuilder().putVolumeContext(key, "canary-1").build()),
                  Fingerprint.of(request.toBuilder().putSecrets(key, "canary-2").build()),
                  Fingerprint.of(
                      request.toBuilder().putSecrets("a", "b").putSecrets(key, "3").build())))
          .containsOnly(Fingerprint.of(request));
    }
  }

  @Test
  void whetherAVolumeIsEphemeralCounts() {
    assertThat(
            Fingerprint.of(
                PUBLISH.toBuilder()
                    .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                    .build()))
        .isNotEqualTo(Fingerprint.of(PUBLISH));
  }

  @Test
  void theOrderOfAMapDoesNotCount() {
    CreateVolumeRequest.Builder up = CreateVolumeRequest.newBuilder();
    CreateVolumeRequest.Builder down = CreateVolumeRequest.newBuilder();
    for (int i = 0; i < 100; i++) {
      up.putParameters("key" + i, "value");
      down.putParameters("key" + (99 - i), "value");
    }
    assertThat(Fingerprint.of(up.build())).isEqualTo(Fingerprint.of(down.build()));
  }

  @Test
  void theRpcCountsWhereTheBytesAreTheSame() {
    NodeUnpublishVolumeRequest unpublish =
        NodeUnpublishVolumeRequest.newBuilder().setVolumeId("vol-1").setTargetPath("/a").build();
    NodeUnstageVolumeRequest unstage =
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setStagingTargetPath("/a")
            .build();
    assertThat(unpublish.toByteString()).isEqualTo(unstage.toByteString());
    assertThat(Fingerprint.of(unpublish)).isNotEqualTo(Fingerprint.of(unstage));
  }

  @Test
  @Proves("NODE-PUB-012")
  void everyFieldOfEveryRequestCountsExceptTheSecretOnes() {
    int secret = 0;
    int counted = 0;
    for (Descriptor type : Requests.types()) {
      Message empty = Requests.empty(type);
      for (FieldDescriptor field : type.getFields()) {
        Message changed = empty.toBuilder().setField(field, Requests.value(field)).build();
        assertThat(changed).as(field.getFullName()).isNotEqualTo(empty);
        if (field.getOptions().getExtension(CsiProto.csiSecret)) {
          assertThat(Fingerprint.of(changed))
              .as(field.getFullName())
              .isEqualTo(Fingerprint.of(empty));
          secret++;
        } else {
          assertThat(Fingerprint.of(changed))
              .as(field.getFullName())
              .isNotEqualTo(Fingerprint.of(empty));
          counted++;
        }
      }
    }
    assertThat(List.of(secret, counted)).allMatch(n -> n > 15);
  }

  @Test
  void aFingerprintPrintsNothingOfTheRequest() {
    assertThat(Fingerprint.of(PUBLISH).toString())
        .startsWith("csi.v1.NodePublishVolumeRequest#")
        .doesNotContain("vol-1");
  }
}
