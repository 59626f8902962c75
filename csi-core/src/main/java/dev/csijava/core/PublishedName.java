package dev.csijava.core;

import com.google.common.base.CaseFormat;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * The names that fields have in the published csi.proto. Ours differ where the published name does
 * not compile as Java; the JSON name is always the published one.
 */
final class PublishedName {
  private PublishedName() {}

  static String of(FieldDescriptor field) {
    return CaseFormat.LOWER_CAMEL.to(CaseFormat.LOWER_UNDERSCORE, field.getJsonName());
  }

  /**
   * @throws IllegalArgumentException if the message has no such field
   */
  static FieldDescriptor find(Descriptor message, String publishedName) {
    for (FieldDescriptor field : message.getFields()) {
      if (of(field).equals(publishedName)) {
        return field;
      }
    }
    throw new IllegalArgumentException(
        "message " + message.getName() + " has no field " + publishedName);
  }
}
