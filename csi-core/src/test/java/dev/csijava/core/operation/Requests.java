package dev.csijava.core.operation;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CsiProto;
import java.util.List;

/** The request types of all RPCs, and messages of them, found by descriptor. */
final class Requests {
  private Requests() {}

  static List<Descriptor> types() {
    return CsiProto.getDescriptor().getServices().stream()
        .flatMap(service -> service.getMethods().stream())
        .map(MethodDescriptor::getInputType)
        .toList();
  }

  static Message empty(Descriptor type) {
    try {
      return (Message)
          Class.forName("dev.csijava.spec.v1." + type.getName())
              .getMethod("getDefaultInstance")
              .invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getFullName() + " has no generated class", e);
    }
  }

  /** With every string field set to {@code /} and its own name, also one level further down. */
  static Message filled(Descriptor type) {
    Message.Builder filled = empty(type).toBuilder();
    for (FieldDescriptor field : type.getFields()) {
      filled.setField(field, value(field));
    }
    return filled.build();
  }

  static Object value(FieldDescriptor field) {
    Object one =
        switch (field.getJavaType()) {
          case STRING -> "/" + field.getName();
          case BOOLEAN -> true;
          case INT -> 7;
          case LONG -> 7L;
          case MESSAGE -> message(field.getMessageType());
          default -> throw new AssertionError(field.getFullName());
        };
    return field.isRepeated() ? List.of(one) : one;
  }

  private static Message message(Descriptor type) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        message.setField(field, field.getEnumType().findValueByNumber(1));
      } else {
        message.setField(field, value(field));
      }
    }
    return message.build();
  }
}
