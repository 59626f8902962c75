package dev.csijava.testkit.conformance;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts hostile values into requests, one at a time, wherever a request has a field of that kind. No
 * value names a thing that exists, or the directory that a driver keeps its things in: a driver
 * that falls for one does no harm to its host. (None at all is no value; that it is refused is a
 * row.)
 */
final class HostileText {
  private static final int LONG = 20_000;
  private static final int DEEPEST = 4;
  private static final int UNKNOWN_ENUM = 4711;

  /** For ids, names, keys and values. */
  static final List<String> VALUES =
      List.of(
          "",
          " ",
          "\u0000",
          "csi-testkit\u0000.png",
          "../../../../csi-testkit-no-such",
          "/csi-testkit-no-such/x",
          "csi-testkit-no-such/../csi-testkit-no-such",
          "-rf",
          "--csi-testkit",
          "$(csi-testkit)`csi-testkit`;csi-testkit|csi-testkit&",
          "%s%n%x{}${jndi:csi-testkit}",
          "'\"<csi-testkit/>]]>",
          "csi-testkit\nerror: forged line",
          "\u202ecsi-testkit\u200d\ufeff",
          "e\u0301\u0327\ud83d\udc68\u200d\ud83d\udcbe",
          "\u007f\u0085\u2028",
          "x".repeat(129),
          "\u00fc".repeat(64) + "x",
          "x".repeat(256),
          "x".repeat(LONG));

  private static final List<Long> NUMBERS =
      List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, Long.MAX_VALUE - 511, (1L << 32) + 1);

  private HostileText() {}

  /**
   * One way to spoil a request.
   *
   * @param what the field and the value, for people
   */
  record Change(String what, UnaryOperator<Message> make) {}

  /** Each text in each text field, map keys and values too; paths are left as they are. */
  static List<Change> texts(Message request) {
    List<Change> changes = new ArrayList<>();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (field.getName().endsWith("_path")) {
        continue;
      }
      if (field.isMapField()) {
        for (String value : VALUES) {
          changes.add(new Change(name(field, value) + " as key", m -> entry(m, field, value, "x")));
          changes.add(new Change(name(field, value), m -> entry(m, field, "csi-testkit", value)));
        }
      } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
        for (String value : VALUES) {
          changes.add(new Change(name(field, value), m -> set(m, field, value)));
        }
      }
    }
    changes.addAll(nested(request, HostileText::texts, 0));
    return changes;
  }

  /** Extreme numbers in each field of numbers, and unknown ones in each field of an enum. */
  static List<Change> numbers(Message request) {
    List<Change> changes = new ArrayList<>();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      switch (field.getJavaType()) {
        case LONG ->
            NUMBERS.forEach(n -> changes.add(new Change(name(field, n), m -> set(m, field, n))));
        case INT ->
            NUMBERS.forEach(
                n -> changes.add(new Change(name(field, n), m -> set(m, field, n.intValue()))));
        case ENUM -> {
          EnumValueDescriptor unknown =
              field.getEnumType().findValueByNumberCreatingIfUnknown(UNKNOWN_ENUM);
          changes.add(new Change(name(field, UNKNOWN_ENUM), m -> set(m, field, unknown)));
        }
        default -> {}
      }
    }
    changes.addAll(nested(request, HostileText::numbers, 0));
    return changes;
  }

  /** How to find changes. */
  @FunctionalInterface
  private interface Finder {
    List<Change> in(Message message);
  }

  /** In the messages that the request holds already. */
  private static List<Change> nested(Message request, Finder finder, int depth) {
    List<Change> changes = new ArrayList<>();
    if (depth > DEEPEST) {
      return changes;
    }
    request
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
                Message inner =
                    (Message) (field.isRepeated() ? request.getRepeatedField(field, 0) : value);
                for (Change change : finder.in(inner)) {
                  changes.add(
                      new Change(
                          field.getName() + "." + change.what(),
                          m -> set(m, field, change.make().apply(inner))));
                }
              }
            });
    return changes;
  }

  private static Message set(Message message, FieldDescriptor field, Object value) {
    return field.isRepeated()
        ? message.toBuilder().clearField(field).addRepeatedField(field, value).build()
        : message.toBuilder().setField(field, value).build();
  }

  private static Message entry(Message message, FieldDescriptor map, String key, String value) {
    Message.Builder builder = message.toBuilder();
    return builder
        .addRepeatedField(
            map,
            builder
                .newBuilderForField(map)
                .setField(map.getMessageType().findFieldByNumber(1), key)
                .setField(map.getMessageType().findFieldByNumber(2), value)
                .build())
        .build();
  }

  private static String name(FieldDescriptor field, Object value) {
    String text = String.valueOf(value);
    return field.getName() + " = " + (text.length() > 60 ? text.length() + " letters" : text);
  }
}
