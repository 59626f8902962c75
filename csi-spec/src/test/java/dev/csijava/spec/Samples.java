package dev.csijava.spec;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.List;

/** Messages with every field filled, no value a default. */
final class Samples {

  private Samples() {}

  /**
   * How many variants it takes to see every member of every oneof and every value of every enum in
   * the message.
   */
  static int variants(Descriptor message) {
    int most = 1;
    for (FieldDescriptor field : message.getFields()) {
      if (field.getContainingOneof() != null) {
        most = Math.max(most, field.getContainingOneof().getFieldCount());
      }
      most =
          switch (field.getJavaType()) {
            case ENUM -> Math.max(most, field.getEnumType().getValues().size());
            case MESSAGE -> Math.max(most, variants(field.getMessageType()));
            default -> most;
          };
    }
    return most;
  }

  /** The message filled; {@code variant} chooses the member of a oneof and the value of an enum. */
  static DynamicMessage filled(Descriptor message, int variant) {
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
    for (FieldDescriptor field : message.getFields()) {
      if (!isChosen(field, variant)) {
        continue;
      }
      if (field.isMapField()) {
        builder.addRepeatedField(field, entry(field, "a", variant));
        builder.addRepeatedField(field, entry(field, "b", variant));
      } else if (field.isRepeated()) {
        builder.addRepeatedField(field, value(field, variant));
        builder.addRepeatedField(field, value(field, variant + 1));
      } else {
        builder.setField(field, value(field, variant));
      }
    }
    return builder.build();
  }

  private static boolean isChosen(FieldDescriptor field, int variant) {
    if (field.getContainingOneof() == null) {
      return true;
    }
    List<FieldDescriptor> members = field.getContainingOneof().getFields();
    return members.get(variant % members.size()).equals(field);
  }

  private static DynamicMessage entry(FieldDescriptor map, String key, int variant) {
    Descriptor entry = map.getMessageType();
    return DynamicMessage.newBuilder(entry)
        .setField(entry.findFieldByNumber(1), key)
        .setField(entry.findFieldByNumber(2), "value " + map.getNumber() + " " + variant)
        .build();
  }

  private static Object value(FieldDescriptor field, int variant) {
    return switch (field.getJavaType()) {
      case STRING -> "field " + field.getNumber() + " " + variant;
      // Too large for 32 bits, yet a date that JSON can show.
      case LONG -> (1L << 35) + 100L * field.getNumber() + variant;
      case INT -> 1 + 100 * field.getNumber() + variant;
      case BOOLEAN -> true;
      case ENUM -> enumValue(field.getEnumType(), variant);
      case MESSAGE -> filled(field.getMessageType(), variant);
      default -> throw new IllegalArgumentException("no sample for " + field.getFullName());
    };
  }

  private static Object enumValue(EnumDescriptor type, int variant) {
    int known = type.getValues().size();
    return type.getValues().get(variant % known);
  }
}
