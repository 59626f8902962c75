package dev.csijava.core.operation;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.CsiProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies of messages without the fields that the descriptor marks {@code csi_secret}, at any depth.
 */
final class SecretFree {
  /** Per message type the fields that are secret or may hold secrets further down. */
  private static final Map<Descriptor, List<FieldDescriptor>> FIELDS = new ConcurrentHashMap<>();

  private SecretFree() {}

  /** The same message if it holds no secret, else a copy. */
  static Message copyOf(Message message) {
    List<FieldDescriptor> fields = fieldsOf(message.getDescriptorForType());
    if (fields.isEmpty()) {
      return message;
    }
    Message.Builder copy = message.toBuilder();
    for (FieldDescriptor field : fields) {
      if (isSecret(field)) {
        copy.clearField(field);
      } else if (field.isRepeated()) {
        List<Message> elements = new ArrayList<>();
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
          elements.add(copyOf((Message) message.getRepeatedField(field, i)));
        }
        copy.setField(field, elements);
      } else if (message.hasField(field)) {
        copy.setField(field, copyOf((Message) message.getField(field)));
      }
    }
    return copy.build();
  }

  /**
   * The same without the fields that this version of the interface does not know, at any depth: in
   * a later one they might be secret, so they must not reach the disk.
   */
  static Message copyToStore(Message message) {
    Message.Builder copy = copyOf(message).toBuilder();
    copy.setUnknownFields(UnknownFieldSet.getDefaultInstance());
    for (Map.Entry<FieldDescriptor, Object> entry : copy.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        continue;
      }
      if (field.isRepeated()) {
        List<Message> elements = new ArrayList<>();
        for (Object element : (List<?>) entry.getValue()) {
          elements.add(copyToStore((Message) element));
        }
        copy.setField(field, elements);
      } else {
        copy.setField(field, copyToStore((Message) entry.getValue()));
      }
    }
    return copy.build();
  }

  private static List<FieldDescriptor> fieldsOf(Descriptor type) {
    List<FieldDescriptor> known = FIELDS.get(type);
    if (known == null) {
      known = type.getFields().stream().filter(SecretFree::leadsToSecret).toList();
      FIELDS.put(type, known);
    }
    return known;
  }

  static boolean leadsToSecret(FieldDescriptor field) {
    return leadsToSecret(field, new HashSet<>());
  }

  /**
   * Whether a secret can be reached through the field; a type that was seen is not searched again.
   */
  private static boolean leadsToSecret(FieldDescriptor field, Set<Descriptor> seen) {
    return isSecret(field)
        || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
            && seen.add(field.getMessageType())
            && field.getMessageType().getFields().stream().anyMatch(f -> leadsToSecret(f, seen)));
  }

  static boolean isSecret(FieldDescriptor field) {
    return field.getOptions().getExtension(CsiProto.csiSecret);
  }
}
