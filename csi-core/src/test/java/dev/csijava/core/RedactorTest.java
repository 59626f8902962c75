package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  @Proves({"GEN-SEC-005", "GEN-SEC-006"})
  void aTokenIsStruckOutEvenWithoutTheJsonAroundIt() {
    String token = "eyJhbGciOiJSUzI1NiIsImtpZCI6In.abc";
    String json = "{\"vault\":{\"token\":\"" + token + "\"}}";
    for (Message request :
        List.of(
            NodePublishVolumeRequest.newBuilder().putVolumeContext(TOKENS, json).build(),
            NodePublishVolumeRequest.newBuilder().putSecrets(TOKENS, json).build())) {
      assertThat(Redactor.print(request)).contains(TOKENS).doesNotContain(token);
      assertThat(Redactor.strike("token " + token + " is refused", request))
          .isEqualTo("token *** is refused");
    }
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

  @Test
  void ofASecretThatHoldsAnotherOneNothingIsLeft() {
    Message request =
        CreateVolumeRequest.newBuilder()
            .putSecrets("a", "pass")
            .putSecrets("b", "password-of-the-filer")
            .build();
    assertThat(Redactor.strike("not with password-of-the-filer, nor with pass", request))
        .isEqualTo("not with ***, nor with ***");
  }

  /** As people print what they were asked, and call what they were told to. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pa\"ss\\wort\n",
        "pässwörd",
        "ends=with==",
        "o'r&<x>",
        "with a space/+",
        "a\u0001b\t"
      })
  void aSecretIsStruckOutInEverySpelling(String secret) throws InvalidProtocolBufferException {
    CreateVolumeRequest request = CreateVolumeRequest.newBuilder().putSecrets("a", secret).build();
    String address = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    for (String written :
        List.of(
            request.toString(),
            TextFormat.printer().escapingNonAscii(false).printToString(request),
            TextFormat.printer().emittingSingleLine(true).printToString(request),
            JsonFormat.printer().print(request),
            "https://user:" + address + "@filer",
            "https://filer/?q=" + address.replace("+", "%20"))) {
      assertThat(Redactor.strike(written, request))
          .as(written)
          .contains("***")
          .doesNotContain(secret.substring(0, 2))
          .doesNotContain(secret.substring(secret.length() - 2));
    }
  }

  @Test
  @Proves("GEN-SEC-007")
  void mountFlagsArePrintedWithoutTheirValues() {
    Message request =
        CreateVolumeRequest.newBuilder()
            .addVolumeCapabilities(
                VolumeCapability.newBuilder()
                    .setMount(
                        VolumeCapability.MountVolume.newBuilder()
                            .addMountFlags("ro")
                            .addMountFlags("username=me,password=a=b-c,uid=1000")))
            .build();
    assertThat(Redactor.print(request))
        .contains("\"ro\"")
        .contains("\"username=***,password=***,uid=***\"");
    assertThat(Redactor.strike("1000 volumes, not with password=a=b-c", request))
        .isEqualTo("1000 volumes, not with password***");
  }

  @Test
  @Proves("GEN-SEC-005")
  void fieldsOfALaterVersionAreTakenForSecrets() {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(
                4711,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(CANARY))
                    .addVarint(815)
                    .build())
            .build();
    Message request =
        NodeGetVolumeStatsRequest.newBuilder().setVolumeId("v").setUnknownFields(later).build();
    Message nested =
        CreateVolumeRequest.newBuilder()
            .addVolumeCapabilities(VolumeCapability.newBuilder().setUnknownFields(later))
            .build();
    for (Message each : List.of(request, nested)) {
      assertThat(Redactor.print(each))
          .contains("4711")
          .doesNotContain(CANARY)
          .doesNotContain("815");
      assertThat(each.toString()).contains(CANARY);
    }
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
