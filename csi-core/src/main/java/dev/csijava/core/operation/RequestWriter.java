package dev.csijava.core.operation;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes messages of one type for a {@link Fingerprint}: without secrets and without the caller's
 * own keys in {@code volume_context}, maps in the order of their keys. What is in which field is
 * looked up once a type, and no copy of the message is made. The form is read by nobody; different
 * messages give different bytes.
 */
final class RequestWriter {
  private static final Map<Descriptor, RequestWriter> WRITERS = new ConcurrentHashMap<>();
  private static final String POD_KEYS = "csi.storage.k8s.io/pod.";
  private static final String ACCOUNT_KEYS = "csi.storage.k8s.io/serviceAccount.";

  private final List<FieldWriter> fields;

  private interface FieldWriter {
    void write(Message message, CodedOutputStream out) throws IOException;
  }

  private interface ValueWriter {
    void write(Object value, CodedOutputStream out) throws IOException;
  }

  private RequestWriter(List<FieldWriter> fields) {
    this.fields = fields;
  }

  static RequestWriter of(Descriptor type) {
    RequestWriter known = WRITERS.get(type);
    if (known == null) {
      known = new RequestWriter(writers(type));
      WRITERS.put(type, known);
    }
    return known;
  }

  private static List<FieldWriter> writers(Descriptor type) {
    List<FieldWriter> writers = new ArrayList<>();
    for (FieldDescriptor field : type.getFields()) {
      if (SecretFree.isSecret(field)) {
        continue;
      }
      if (field.isMapField()) {
        writers.add(map(field, field.getName().equals("volume_context")));
      } else if (field.isRepeated()) {
        writers.add(list(field, value(field)));
      } else {
        writers.add(single(field, value(field)));
      }
    }
    return List.copyOf(writers);
  }

  /** Each field that is there begins with its number, and 0 ends the message. */
  void write(Message message, CodedOutputStream out) throws IOException {
    for (FieldWriter field : fields) {
      field.write(message, out);
    }
    out.writeUInt32NoTag(0);
    if (!message.getUnknownFields().isEmpty()) {
      out.writeMessageNoTag(message.getUnknownFields());
    } else {
      out.writeUInt32NoTag(0);
    }
  }

  private static FieldWriter single(FieldDescriptor field, ValueWriter writer) {
    return (message, out) -> {
      if (message.hasField(field)) {
        out.writeUInt32NoTag(field.getNumber());
        writer.write(message.getField(field), out);
      }
    };
  }

  private static FieldWriter list(FieldDescriptor field, ValueWriter writer) {
    return (message, out) -> {
      int count = message.getRepeatedFieldCount(field);
      if (count > 0) {
        out.writeUInt32NoTag(field.getNumber());
        out.writeUInt32NoTag(count);
        for (int i = 0; i < count; i++) {
          writer.write(message.getRepeatedField(field, i), out);
        }
      }
    };
  }

  private static FieldWriter map(FieldDescriptor field, boolean callerKeys) {
    FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
    Comparator<Message> byKey = Comparator.comparing(entry -> entry.getField(key).toString());
    return (message, out) -> {
      if (message.getRepeatedFieldCount(field) == 0) {
        return;
      }
      List<Message> entries = new ArrayList<>();
      for (Object element : (List<?>) message.getField(field)) {
        Message entry = (Message) element;
        if (!callerKeys || !isCallers(entry.getField(key).toString())) {
          entries.add(entry);
        }
      }
      if (!entries.isEmpty()) {
        entries.sort(byKey);
        out.writeUInt32NoTag(field.getNumber());
        out.writeUInt32NoTag(entries.size());
        for (Message entry : entries) {
          out.writeMessageNoTag(entry);
        }
      }
    };
  }

  private static boolean isCallers(String key) {
    return key.startsWith(POD_KEYS) || key.startsWith(ACCOUNT_KEYS);
  }

  private static ValueWriter value(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> (value, out) -> out.writeInt32NoTag((Integer) value);
      case LONG -> (value, out) -> out.writeInt64NoTag((Long) value);
      case FLOAT -> (value, out) -> out.writeFloatNoTag((Float) value);
      case DOUBLE -> (value, out) -> out.writeDoubleNoTag((Double) value);
      case BOOLEAN -> (value, out) -> out.writeBoolNoTag((Boolean) value);
      case STRING -> (value, out) -> out.writeStringNoTag((String) value);
      case BYTE_STRING -> (value, out) -> out.writeBytesNoTag((ByteString) value);
      case ENUM -> (value, out) -> out.writeInt32NoTag(((EnumValueDescriptor) value).getNumber());
      case MESSAGE ->
          SecretFree.leadsToSecret(field)
              ? (value, out) -> of(field.getMessageType()).write((Message) value, out)
              : (value, out) -> out.writeMessageNoTag((Message) value);
    };
  }
}
