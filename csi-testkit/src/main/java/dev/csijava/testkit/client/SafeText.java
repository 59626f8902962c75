package dev.csijava.testkit.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.csijava.spec.v1.CsiProto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Messages as text for people, without what the descriptors mark as secret and without the
 * service-account tokens that kubelet sends.
 *
 * @since 0.1.0
 */
public final class SafeText {
  private static final String STRUCK = "***";
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";
  private static final int SHORTEST_STRUCK = 4;

  /** What stands in quotes in the JSON around tokens and is as long as one. */
  private static final Pattern TOKEN = Pattern.compile("\"([^\"]{24,})\"");

  private SafeText() {}

  /**
   * The message on one line.
   *
   * @since 0.1.0
   */
  public static String of(Message message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(redacted(message));
  }

  /**
   * The message with every secret replaced.
   *
   * @since 0.1.0
   */
  public static Message redacted(Message message) {
    Message.Builder copy = message.toBuilder();
    message.getAllFields().forEach((field, value) -> redact(copy, field, value));
    return copy.build();
  }

  /**
   * The text without any secret of the message.
   *
   * @since 0.1.0
   */
  public static String strike(String text, Message message) {
    List<String> secrets = new ArrayList<>();
    collect(message, secrets);
    return strike(text, secrets);
  }

  /**
   * The text without any of these secrets; those of less than four characters stay, which would
   * strike out half of any text.
   *
   * @since 0.1.0
   */
  public static String strike(String text, Collection<String> secrets) {
    // The longest first: of one that begins with another the rest would stay.
    List<String> sorted = new ArrayList<>(secrets);
    sorted.sort(Comparator.comparingInt(String::length).reversed());
    String struck = text;
    for (String secret : sorted) {
      struck = secret.length() < SHORTEST_STRUCK ? struck : struck.replace(secret, STRUCK);
    }
    return struck;
  }

  private static void redact(Message.Builder copy, FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      List<?> entries = (List<?>) value;
      for (int i = 0; i < entries.size(); i++) {
        Message entry = (Message) entries.get(i);
        if (isSecret(field) || TOKENS.equals(part(entry, 1))) {
          FieldDescriptor hidden = entry.getDescriptorForType().findFieldByNumber(2);
          copy.setRepeatedField(field, i, entry.toBuilder().setField(hidden, STRUCK).build());
        }
      }
    } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      if (field.isRepeated()) {
        List<?> messages = (List<?>) value;
        for (int i = 0; i < messages.size(); i++) {
          copy.setRepeatedField(field, i, redacted((Message) messages.get(i)));
        }
      } else {
        copy.setField(field, redacted((Message) value));
      }
    } else if (isSecret(field)) {
      copy.clearField(field);
    }
  }

  private static void collect(Message message, List<String> secrets) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      for (Object value : values) {
        if (field.isMapField()) {
          collectEntry((Message) value, isSecret(field), secrets);
        } else if (value instanceof Message nested) {
          collect(nested, secrets);
        } else if (isSecret(field)) {
          secrets.add(String.valueOf(value));
        }
      }
    }
  }

  /** The tokens come as JSON, and a text may hold one of them alone. */
  private static void collectEntry(Message entry, boolean secret, List<String> secrets) {
    boolean tokens = TOKENS.equals(part(entry, 1));
    if (secret || tokens) {
      secrets.add(part(entry, 2));
    }
    if (tokens) {
      TOKEN.matcher(part(entry, 2)).results().forEach(found -> secrets.add(found.group(1)));
    }
  }

  private static String part(Message entry, int number) {
    return String.valueOf(entry.getField(entry.getDescriptorForType().findFieldByNumber(number)));
  }

  private static boolean isSecret(FieldDescriptor field) {
    return field.getOptions().getExtension(CsiProto.csiSecret);
  }
}
