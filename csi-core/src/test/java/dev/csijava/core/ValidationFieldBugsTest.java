package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.VolumeCapability;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Public bug reports that validation keeps out; each test carries the report's id. */
class ValidationFieldBugsTest {
  private final RequestValidator all = new RequestValidator(Capabilities.ALL);

  /** A field of a valid request that holds a text, texts or a map of texts. */
  record TextField(Message request, FieldDescriptor field) {
    int limit() {
      if (field.isMapField()) {
        return field.getOptions().getExtension(CsiProto.csiSecret) ? 1 << 20 : 4096;
      }
      if (field.getName().endsWith("_path")) {
        return 4095;
      }
      return field.getName().equals("node_id") ? 256 : 128;
    }

    Message withBytes(int bytes) {
      Message.Builder builder = request.toBuilder();
      if (field.isMapField()) {
        Message.Builder entry = builder.clearField(field).newBuilderForField(field);
        entry.setField(entry.getDescriptorForType().findFieldByNumber(1), "k");
        entry.setField(entry.getDescriptorForType().findFieldByNumber(2), "v".repeat(bytes - 1));
        return builder.addRepeatedField(field, entry.build()).build();
      }
      String text = "/" + "x".repeat(bytes - 1);
      return field.isRepeated()
          ? builder.addRepeatedField(field, text).build()
          : builder.setField(field, text).build();
    }

    @Override
    public String toString() {
      return field.getFullName();
    }
  }

  static List<TextField> textFields() {
    return Stream.concat(ValidRequests.minimal().stream(), ValidRequests.maximal().stream())
        .flatMap(
            request ->
                request.getDescriptorForType().getFields().stream()
                    .filter(field -> field.isMapField() || field.getJavaType() == JavaType.STRING)
                    .map(field -> new TextField(request, field)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("textFields")
  void b168TextOrMapAtItsLimitPassesAndOneByteMoreIsInvalid(TextField text) {
    RequestValidator validator =
        new RequestValidator(
            Capabilities.without(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME));
    assertThat(validator.find(text.withBytes(text.limit()))).isNull();
    Violation violation =
        Objects.requireNonNull(validator.find(text.withBytes(text.limit() + 1)), "nothing found");
    assertThat(violation.path()).startsWith(PublishedName.of(text.field()));
    assertThat(violation.rule().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @CsvSource({"-1,0", "0,-1", "0,0", "2097152,1048576"})
  void b091BadCapacityRangeIsInvalid(long required, long limit) {
    Violation violation =
        Objects.requireNonNull(
            all.find(
                ValidRequests.create()
                    .setCapacityRange(ValidRequests.range(required, limit))
                    .build()),
            "nothing found");
    assertThat(violation.rule().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(violation.path()).startsWith("capacity_range");
  }

  @Test
  void b163NewerAccessModeIsInvalidAndNewerFieldsAreIgnored() throws Exception {
    // access_mode { mode: 99 } with a field 100 beside it, as bytes from a newer caller
    VolumeCapability capability =
        ValidRequests.mount().toBuilder()
            .mergeFrom(ByteString.copyFrom(new byte[] {0x1a, 2, 8, 99, (byte) 0xa0, 6, 1}))
            .build();
    Message request =
        CreateVolumeRequest.newBuilder().setName("pvc").addVolumeCapabilities(capability).build();
    Violation violation = Objects.requireNonNull(all.find(request), "nothing found");
    assertThat(violation.path()).isEqualTo("volume_capabilities[0].access_mode.mode");
    assertThat(violation.sentence()).contains("99");
  }

  @Test
  void b166NameOfAnyUnicodePassesAndControlCharactersAreInvalid() {
    for (String name :
        List.of(
            "a".repeat(128), "\ud83d\ude00".repeat(32), "/", "..", ".", " ", "a\nb", "\u0130")) {
      assertThat(all.find(ValidRequests.create().setName(name).build())).as(name).isNull();
    }
    for (String name : List.of("\ud83d\ude00".repeat(33), "\0", "a\u0085", "\u001b[2J")) {
      assertThat(all.find(ValidRequests.create().setName(name).build())).as(name).isNotNull();
    }
  }

  @Test
  void b113StatsWithoutAnyUsageAreNotSent() {
    Message answer = ValidAnswers.stats().clearUsage().build();
    assertThat(new ResponseValidator(Capabilities.ALL).find(ValidRequests.stats().build(), answer))
        .isNotNull();
  }
}
