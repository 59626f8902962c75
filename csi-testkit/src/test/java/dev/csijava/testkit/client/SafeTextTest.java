package dev.csijava.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SafeTextTest {
  private static final String CANARY = "canary-7f3a";

  @ParameterizedTest
  @EnumSource
  void noRequestShowsASecret(CsiRpc rpc) {
    Message.Builder request = rpc.emptyRequest().toBuilder();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (field.getOptions().getExtension(CsiProto.csiSecret)) {
        Message.Builder entry = request.newBuilderForField(field);
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        request.addRepeatedField(
            field, entry.setField(key, "name").setField(value, CANARY).build());
      }
    }
    Message built = request.build();
    assertThat(SafeText.of(built)).doesNotContain(CANARY);
    if (!built.equals(rpc.emptyRequest())) {
      assertThat(SafeText.of(built)).contains("name").contains("***");
      assertThat(SafeText.strike("it said " + CANARY, built)).isEqualTo("it said ***");
    }
  }

  @Test
  void tokensInTheVolumeContextAreStruckOut() {
    Message request =
        NodePublishVolumeRequest.newBuilder()
            .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", CANARY)
            .putVolumeContext("csi.storage.k8s.io/pod.name", "web-0")
            .build();
    assertThat(SafeText.of(request)).doesNotContain(CANARY).contains("web-0");
  }

  @Test
  void aTokenIsStruckOutWithoutTheJsonAroundItToo() {
    String token = "eyJhbGciOiJSUzI1NiIsImtpZCI6In.abc";
    String key = "csi.storage.k8s.io/serviceAccount.tokens";
    String json = "{\"vault\":{\"token\":\"" + token + "\"}}";
    for (Message request :
        List.of(
            NodePublishVolumeRequest.newBuilder().putVolumeContext(key, json).build(),
            NodePublishVolumeRequest.newBuilder().putSecrets(key, json).build())) {
      assertThat(SafeText.of(request)).doesNotContain(token);
      assertThat(SafeText.strike(token + " is refused", request)).isEqualTo("*** is refused");
      assertThat(SafeText.strike("not with " + json, request)).isEqualTo("not with ***");
    }
  }

  @Test
  void ofASecretThatBeginsWithAnotherNothingStays() {
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .putSecrets("1-user", "storage")
            .putSecrets("2-password", "storage-4711")
            .build();
    assertThat(SafeText.strike("storage-4711 of storage is wrong", request))
        .isEqualTo("*** of *** is wrong");
  }

  @Test
  void theMessageItselfStaysAsItIs() {
    CreateVolumeRequest request = CreateVolumeRequest.newBuilder().putSecrets("k", CANARY).build();
    SafeText.of(request);
    assertThat(request.getSecretsMap()).containsEntry("k", CANARY);
  }
}
