package dev.csijava.spec;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One published version of the interface, made from {@link SpecTable} alone: what a caller in
 * another language has compiled in. Its fields bear the published names.
 */
final class PublishedSpec {

  private final FileDescriptor file;

  /** The interface of {@code version}, "1.12" or "1.13". */
  static PublishedSpec of(String version) {
    try {
      return new PublishedSpec(version);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private PublishedSpec(String version) throws DescriptorValidationException {
    FileDescriptorProto.Builder proto =
        FileDescriptorProto.newBuilder()
            .setName("published-" + version + ".proto")
            .setPackage("csi.v1")
            .setSyntax("proto3")
            .addDependency(TimestampProto.getDescriptor().getName())
            .addDependency(WrappersProto.getDescriptor().getName());
    Map<String, EnumDescriptorProto.Builder> enums = enums(version);
    Map<String, DescriptorProto.Builder> messages = messages(version, enums.keySet());
    enums.forEach(
        (name, builder) -> {
          DescriptorProto.Builder parent = messages.get(parent(name));
          if (parent == null) {
            proto.addEnumType(builder);
          } else {
            parent.addEnumType(builder);
          }
        });
    // The longest names first: a message is complete before it goes into its parent.
    messages.keySet().stream()
        .sorted((a, b) -> Long.compare(depth(b), depth(a)))
        .forEach(
            name -> {
              DescriptorProto.Builder message = Objects.requireNonNull(messages.get(name));
              DescriptorProto.Builder parent = messages.get(parent(name));
              if (parent == null) {
                proto.addMessageType(message);
              } else {
                parent.addNestedType(message);
              }
            });
    file =
        FileDescriptor.buildFrom(
            proto.build(),
            new FileDescriptor[] {TimestampProto.getDescriptor(), WrappersProto.getDescriptor()});
  }

  /** The message of this full name, without package. */
  Descriptor message(String name) {
    Descriptor found = null;
    for (String part : name.split("\\.", -1)) {
      found = found == null ? file.findMessageTypeByName(part) : found.findNestedTypeByName(part);
      Objects.requireNonNull(found, name);
    }
    return Objects.requireNonNull(found, name);
  }

  private static Map<String, EnumDescriptorProto.Builder> enums(String version) {
    Map<String, EnumDescriptorProto.Builder> enums = new LinkedHashMap<>();
    for (SpecTable.EnumValue value : SpecTable.enumValues()) {
      if (SpecTable.isIn(value.versions(), version)) {
        enums
            .computeIfAbsent(
                value.enumName(), n -> EnumDescriptorProto.newBuilder().setName(simple(n)))
            .addValue(
                EnumValueDescriptorProto.newBuilder()
                    .setName(value.name())
                    .setNumber(value.number()));
      }
    }
    return enums;
  }

  private static Map<String, DescriptorProto.Builder> messages(
      String version, Set<String> enumNames) {
    Map<String, DescriptorProto.Builder> messages =
        SpecTable.messages().stream()
            .filter(m -> SpecTable.isIn(m.versions(), version))
            .collect(
                Collectors.toMap(
                    SpecTable.Message::name,
                    m -> DescriptorProto.newBuilder().setName(simple(m.name())),
                    (a, b) -> a,
                    LinkedHashMap::new));
    for (SpecTable.Field field : SpecTable.fields()) {
      if (SpecTable.isIn(field.versions(), version)) {
        addField(Objects.requireNonNull(messages.get(field.message())), field, enumNames);
      }
    }
    return messages;
  }

  private static void addField(
      DescriptorProto.Builder message, SpecTable.Field row, Set<String> enumNames) {
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder().setName(row.name()).setNumber(row.number());
    boolean many = row.label().equals("repeated") || row.label().equals("map");
    field.setLabel(
        many
            ? FieldDescriptorProto.Label.LABEL_REPEATED
            : FieldDescriptorProto.Label.LABEL_OPTIONAL);
    if (row.label().equals("map")) {
      DescriptorProto entry = stringMapEntry(row.name());
      message.addNestedType(entry);
      field
          .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
          .setTypeName(".csi.v1." + row.message() + "." + entry.getName());
    } else if (Character.isLowerCase(row.type().charAt(0)) && !row.type().contains(".")) {
      field.setType(
          FieldDescriptorProto.Type.valueOf("TYPE_" + row.type().toUpperCase(Locale.ROOT)));
    } else {
      boolean ours = !row.type().startsWith("google.");
      field
          .setType(
              enumNames.contains(row.type())
                  ? FieldDescriptorProto.Type.TYPE_ENUM
                  : FieldDescriptorProto.Type.TYPE_MESSAGE)
          .setTypeName((ours ? ".csi.v1." : ".") + row.type());
    }
    if (row.label().startsWith("oneof ")) {
      field.setOneofIndex(oneof(message, row.label().substring("oneof ".length())));
    }
    message.addField(field);
  }

  private static int oneof(DescriptorProto.Builder message, String name) {
    for (int i = 0; i < message.getOneofDeclCount(); i++) {
      if (message.getOneofDecl(i).getName().equals(name)) {
        return i;
      }
    }
    message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(name));
    return message.getOneofDeclCount() - 1;
  }

  private static DescriptorProto stringMapEntry(String field) {
    StringBuilder name = new StringBuilder();
    for (String word : field.split("_", -1)) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    DescriptorProto.Builder entry = DescriptorProto.newBuilder().setName(name + "Entry");
    entry.getOptionsBuilder().setMapEntry(true);
    for (String part : new String[] {"key", "value"}) {
      entry.addField(
          FieldDescriptorProto.newBuilder()
              .setName(part)
              .setNumber(part.equals("key") ? 1 : 2)
              .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
              .setType(FieldDescriptorProto.Type.TYPE_STRING));
    }
    return entry.build();
  }

  private static long depth(String name) {
    return name.chars().filter(c -> c == '.').count();
  }

  private static String parent(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(0, dot);
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
