package dev.csijava.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.DescriptorProtos.ServiceOptions;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.csijava.spec.v1.CsiProto;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The comparison with the table would notice each kind of mistake in csi.proto. */
class DescriptorRowsTest {

  @ParameterizedTest
  @MethodSource("mistakes")
  void eachKindOfMistakeChangesTheRows(Consumer<FileDescriptorProto.Builder> mistake)
      throws DescriptorValidationException {
    FileDescriptor original = CsiProto.getDescriptor();
    FileDescriptorProto.Builder changed = original.toProto().toBuilder();

    mistake.accept(changed);

    FileDescriptor wrong =
        FileDescriptor.buildFrom(
            changed.build(), original.getDependencies().toArray(FileDescriptor[]::new));
    assertThat(allRows(wrong)).isNotEqualTo(allRows(original));
  }

  @Test
  void aRebuiltFileGivesTheSameRows() throws DescriptorValidationException {
    FileDescriptor original = CsiProto.getDescriptor();

    FileDescriptor rebuilt =
        FileDescriptor.buildFrom(
            original.toProto(), original.getDependencies().toArray(FileDescriptor[]::new));

    assertThat(allRows(rebuilt)).isEqualTo(allRows(original));
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("a field is missing", file -> message(file, "CapacityRange").removeField(1)),
        mistake("a field has another number", onField(f -> f.setNumber(77))),
        mistake("a field has another name", onField(f -> f.setName("ids").setJsonName("ids"))),
        mistake(
            "a field has another type",
            onField(f -> f.setType(FieldDescriptorProto.Type.TYPE_BYTES))),
        mistake(
            "a field is repeated",
            onField(f -> f.setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))),
        mistake("a secret is not marked", onSecrets(FieldOptions.getDefaultInstance())),
        mistake(
            "a field has an option too many",
            onField(f -> f.setOptions(FieldOptions.newBuilder().setDeprecated(true)))),
        mistake(
            "a member left its oneof",
            file -> field(message(file, "VolumeCapability"), "mount").clearOneofIndex()),
        mistake(
            "a message is not marked as alpha",
            file -> message(file, "VolumeHealth").setOptions(MessageOptions.getDefaultInstance())),
        mistake(
            "a message is too many",
            file -> file.addMessageType(DescriptorProto.newBuilder().setName("Extra"))),
        mistake(
            "an enum value has another number",
            file -> file.getEnumTypeBuilder(0).getValueBuilder(1).setNumber(9)),
        mistake("an enum value is missing", file -> file.getEnumTypeBuilder(0).removeValue(1)),
        mistake("an RPC is missing", file -> file.getServiceBuilder(0).removeMethod(0)),
        mistake(
            "a stream is none",
            file ->
                file.getServiceBuilderList().stream()
                    .filter(s -> s.getName().equals("SnapshotMetadata"))
                    .forEach(s -> s.getMethodBuilder(0).clearServerStreaming())),
        mistake(
            "a service is not marked as alpha",
            file ->
                file.getServiceBuilderList().stream()
                    .filter(s -> s.getName().equals("SnapshotMetadata"))
                    .forEach(s -> s.setOptions(ServiceOptions.getDefaultInstance()))),
        mistake(
            "an RPC is marked as alpha",
            file ->
                file.getServiceBuilder(0)
                    .getMethodBuilder(0)
                    .setOptions(
                        MethodOptions.newBuilder().setExtension(CsiProto.alphaMethod, true))),
        mistake(
            "an option has another number", file -> file.getExtensionBuilder(0).setNumber(1061)));
  }

  private static Arguments mistake(String name, Consumer<FileDescriptorProto.Builder> change) {
    return Arguments.of(Named.of(name, change));
  }

  private static Consumer<FileDescriptorProto.Builder> onField(
      Consumer<FieldDescriptorProto.Builder> change) {
    return file -> change.accept(field(message(file, "Volume"), "volume_id"));
  }

  private static Consumer<FileDescriptorProto.Builder> onSecrets(FieldOptions options) {
    return file -> field(message(file, "CreateVolumeRequest"), "secrets").setOptions(options);
  }

  private static DescriptorProto.Builder message(FileDescriptorProto.Builder file, String name) {
    return file.getMessageTypeBuilderList().stream()
        .filter(m -> m.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FieldDescriptorProto.Builder field(DescriptorProto.Builder message, String name) {
    return message.getFieldBuilderList().stream()
        .filter(f -> f.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> allRows(FileDescriptor file) {
    DescriptorRows rows = new DescriptorRows(file);
    List<String> all = new ArrayList<>(rows.messages());
    all.addAll(rows.fields());
    all.addAll(rows.enumValues());
    all.addAll(rows.rpcs());
    all.addAll(rows.extensions());
    return all;
  }
}
