package dev.csijava.core.operation;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** Finds where two messages of one type differ, as a path of field names without values. */
final class FieldDifference {
  private FieldDifference() {}

  /** The path of the first field that differs, for example {@code parameters["kind"]}. */
  static Optional<String> first(Message one, Message other) {
    if (one.equals(other)) {
      return Optional.empty();
    }
    for (FieldDescriptor field : one.getDescriptorForType().getFields()) {
      if (differs(field, one, other)) {
        return Optional.of(path(field, one, other));
      }
    }
    return Optional.of("a field of a later version");
  }

  private static boolean differs(FieldDescriptor field, Message one, Message other) {
    if (field.isMapField()) {
      // The order of a map's entries, in which callers differ from call to call, means nothing.
      return !entries(one, field).equals(entries(other, field));
    }
    return !one.getField(field).equals(other.getField(field))
        || isSet(one, field) != isSet(other, field);
  }

  private static boolean isSet(Message message, FieldDescriptor field) {
    return !field.isRepeated() && field.hasPresence() && message.hasField(field);
  }

  private static String path(FieldDescriptor field, Message one, Message other) {
    String name = publishedName(field);
    if (field.isMapField()) {
      return name + "[\"" + firstKey(entries(one, field), entries(other, field)) + "\"]";
    }
    if (field.isRepeated()
        || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
        || !one.hasField(field)
        || !other.hasField(field)) {
      return name;
    }
    return first((Message) one.getField(field), (Message) other.getField(field))
        .map(rest -> name + "." + rest)
        .orElse(name);
  }

  private static String firstKey(Map<String, Object> one, Map<String, Object> other) {
    TreeSet<String> keys = new TreeSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(one.get(key), other.get(key)))
        .findFirst()
        .orElse("");
  }

  private static Map<String, Object> entries(Message message, FieldDescriptor field) {
    Map<String, Object> entries = new HashMap<>();
    for (Object element : (List<?>) message.getField(field)) {
      MapEntry<?, ?> entry = (MapEntry<?, ?>) element;
      entries.put(entry.getKey().toString(), entry.getValue());
    }
    return entries;
  }

  /** Our descriptor names one field otherwise than the specification, for Java's sake. */
  private static String publishedName(FieldDescriptor field) {
    return field.getName().equals("mutable_params") ? "mutable_parameters" : field.getName();
  }
}
