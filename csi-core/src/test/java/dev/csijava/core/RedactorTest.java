package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No secret is ever printed (rule K3; GEN-SEC-005, GEN-SEC-006). */
class RedactorTest {
  private static final String CANARY = "canary-in-the-coal-mine";
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

  static List<Descriptor> messages() {
    List<Descriptor> all = new ArrayList<>();
    CsiProto.getDescriptor().getMessageTypes().forEach(type -> collect(type, all));
    return all;
  }

  private static void collect(Descriptor type, List<Descriptor> all) {
    if (!type.getOptions().getMapEntry()) {
      all.add(type);
      type.getNestedTypes().forEach(nested -> collect(nested, all));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  @Proves({"GEN-SEC-005", "GEN-SEC-006"})
  void noSecretOfAnyMessageIsPrinted(Descriptor type) {
    Message message = filled(type);
    String before = message.toString();
    String printed = Redactor.print(message);
    assertThat(printed).doesNotContain(CANARY).doesNotContain("\n");
    assertThat(message).as("the message itself").hasToString(before);
    assertThat(Redactor.strike("failed with " + CANARY, message).contains(CANARY))
        .isEqualTo(!before.contains(CANARY));
  }

  @Test
  void theTestAboveFillsSecretsIntoAllMessagesThatHaveThem() {
    assertThat(messages().stream().filter(type -> filled(type).toString().contains(CANARY)).count())
        .isGreaterThan(20);
  }

  @Test
  void whatIsNoSecretIsPrinted() {
    String printed =
        Redactor.print(
            CreateVolumeRequest.newBuilder()
                .setName("a-name")
                .putParameters("kind", "fast")
                .putSecrets("user", CANARY)
                .build());
    assertThat(printed).contains("a-name").contains("fast").contains("user").contains("***");
  }

  @Test
  @Proves("GEN-SEC-006")
  void aTokenIsStruckOutEvenWithoutTheJsonAroundIt() {
    String token = "eyJhbGciOiJSUzI1NiIsImtpZCI6In.abc";
    Message request =
        NodePublishVolumeRequest.newBuilder()
            .putVolumeContext(TOKENS, "{\"vault\":{\"token\":\"" + token + "\"}}")
            .build();
    assertThat(Redactor.print(request)).doesNotContain(token);
    assertThat(Redactor.strike("token " + token + " is refused", request))
        .isEqualTo("token *** is refused");
  }

  @Test
  void secretsAreStruckOutOfExceptionsAndTheirCauses() {
    Message request = CreateVolumeRequest.newBuilder().putSecrets("a", CANARY).build();
    Throwable clean = new IllegalStateException("nothing in here");
    assertThat(Redactor.strike(clean, request)).isSameAs(clean);
    Throwable dirty = new IllegalStateException("outer", new RuntimeException("with " + CANARY));
    Throwable struck = Redactor.strike(dirty, request);
    assertThat(struck.getCause()).hasMessageContaining("with ***");
    assertThat(struck.getStackTrace()).isEqualTo(dirty.getStackTrace());
  }

  /** Every field set: secrets, and token keys in every string map, hold the canary. */
  private static Message filled(Descriptor type) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (field.isMapField()) {
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        boolean secret = field.getOptions().getExtension(CsiProto.csiSecret);
        message.addRepeatedField(
            field,
            DynamicMessage.newBuilder(field.getMessageType())
                .setField(key, secret ? "password" : TOKENS)
                .setField(value, CANARY)
                .build());
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && field.getMessageType().getFile().equals(type.getFile())) {
        Message nested = filled(field.getMessageType());
        if (field.isRepeated()) {
          message.addRepeatedField(field, nested);
        } else if (field.getContainingOneof() == null) {
          message.setField(field, nested);
        }
      } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
        boolean secret = field.getOptions().getExtension(CsiProto.csiSecret);
        if (!field.isRepeated()) {
          message.setField(field, secret ? CANARY : "plain");
        }
      }
    }
    return message.build();
  }
}
