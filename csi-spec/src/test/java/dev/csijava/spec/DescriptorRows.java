package dev.csijava.spec;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A compiled proto file as rows that read like those of {@link SpecTable}. */
final class DescriptorRows {

  /** The four fields that have another name here, as {@code Message.field}, and their own names. */
  static final Map<String, String> PUBLISHED_NAMES =
      Map.of(
          "CreateVolumeRequest.mutable_params", "mutable_parameters",
          "ValidateVolumeCapabilitiesRequest.mutable_params", "mutable_parameters",
          "ValidateVolumeCapabilitiesResponse.Confirmed.mutable_params", "mutable_parameters",
          "ControllerModifyVolumeRequest.mutable_params", "mutable_parameters");

  private static final String VERSIONS_NOT_KNOWN = "";

  private final FileDescriptor file;
  private final List<Descriptor> messages = new ArrayList<>();
  private final List<EnumDescriptor> enums = new ArrayList<>();

  DescriptorRows(FileDescriptor file) {
    this.file = file;
    enums.addAll(file.getEnumTypes());
    file.getMessageTypes().forEach(this::collect);
  }

  private void collect(Descriptor message) {
    if (message.getOptions().getMapEntry()) {
      return;
    }
    messages.add(message);
    enums.addAll(message.getEnumTypes());
    message.getNestedTypes().forEach(this::collect);
  }

  /** All messages, nested ones too, without the entries of maps. */
  List<Descriptor> messageDescriptors() {
    return List.copyOf(messages);
  }

  List<String> messages() {
    return messages.stream()
        .map(m -> new SpecTable.Message(name(m.getFullName()), options(m.getOptions()), ""))
        .map(SpecTable.Message::toString)
        .toList();
  }

  List<String> fields() {
    return messages.stream().flatMap(m -> m.getFields().stream()).map(this::field).toList();
  }

  List<String> enumValues() {
    return enums.stream()
        .flatMap(e -> e.getValues().stream())
        .map(
            v ->
                new SpecTable.EnumValue(
                    name(v.getType().getFullName()),
                    v.getName(),
                    v.getNumber(),
                    options(v.getType().getOptions(), v.getOptions()),
                    VERSIONS_NOT_KNOWN))
        .map(SpecTable.EnumValue::toString)
        .toList();
  }

  List<String> rpcs() {
    return file.getServices().stream()
        .flatMap(s -> s.getMethods().stream())
        .map(
            m ->
                new SpecTable.Rpc(
                    name(m.getService().getFullName()),
                    m.getName(),
                    name(m.getInputType().getFullName()),
                    name(m.getOutputType().getFullName()),
                    kind(m),
                    options(m.getService().getOptions(), m.getOptions()),
                    VERSIONS_NOT_KNOWN))
        .map(SpecTable.Rpc::toString)
        .toList();
  }

  List<String> extensions() {
    List<FieldDescriptor> nested =
        messages.stream().flatMap(m -> m.getExtensions().stream()).toList();
    return Stream.concat(file.getExtensions().stream(), nested.stream())
        .map(
            e ->
                new SpecTable.Extension(
                    e.getContainingType().getFullName(),
                    name(e.getFullName()),
                    e.getNumber(),
                    type(e)))
        .map(SpecTable.Extension::toString)
        .toList();
  }

  /** The name under which a field is published. */
  static String publishedName(FieldDescriptor field) {
    String key = field.getFullName().substring(field.getFile().getPackage().length() + 1);
    return PUBLISHED_NAMES.getOrDefault(key, field.getName());
  }

  private String field(FieldDescriptor field) {
    return new SpecTable.Field(
            name(field.getContainingType().getFullName()),
            publishedName(field),
            field.getNumber(),
            field.isMapField() ? mapType(field.getMessageType()) : type(field),
            label(field),
            options(field.getOptions()),
            VERSIONS_NOT_KNOWN)
        .toString();
  }

  private static String label(FieldDescriptor field) {
    if (field.isMapField()) {
      return "map";
    }
    if (field.toProto().getProto3Optional()) {
      return "optional";
    }
    if (field.getContainingOneof() != null) {
      return "oneof " + field.getContainingOneof().getName();
    }
    return field.isRepeated() ? "repeated" : field.isRequired() ? "required" : "single";
  }

  private String mapType(Descriptor entry) {
    return "map<%s,%s>"
        .formatted(type(entry.findFieldByNumber(1)), type(entry.findFieldByNumber(2)));
  }

  private String type(FieldDescriptor field) {
    return switch (field.getType()) {
      case MESSAGE -> name(field.getMessageType().getFullName());
      case ENUM -> name(field.getEnumType().getFullName());
      default ->
          field.getType().toProto().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
    };
  }

  private static String kind(MethodDescriptor method) {
    if (method.isClientStreaming()) {
      return method.isServerStreaming() ? "bidirectional" : "client-streaming";
    }
    return method.isServerStreaming() ? "server-streaming" : "unary";
  }

  /** Every option that is set, whoever defined it, so that none can slip in unnoticed. */
  private static String options(Message... holders) {
    Set<String> names = new TreeSet<>();
    for (Message holder : holders) {
      holder
          .getAllFields()
          .forEach((f, v) -> names.add(v.equals(true) ? f.getName() : f.getName() + "=" + v));
      holder.getUnknownFields().asMap().keySet().forEach(n -> names.add("unknown " + n));
    }
    return names.isEmpty() ? SpecTable.NONE : String.join(",", names);
  }

  private String name(String fullName) {
    String prefix = file.getPackage() + ".";
    return fullName.startsWith(prefix) ? fullName.substring(prefix.length()) : fullName;
  }
}
