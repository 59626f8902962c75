package dev.csijava.core;

import com.google.common.base.Splitter;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.VolumeCapability;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps secrets out of what people read (rule K3). What is secret is said by the descriptors, in
 * the option {@code csi_secret}; service-account tokens, which kubelet puts into {@code
 * volume_context}, are secret as well.
 */
final class Redactor {
  private static final String STRUCK = "***";
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

  /** Shorter values would strike half the sentence out and are no secret anyway. */
  private static final int SHORTEST_STRUCK = 4;

  /** Of a mount flag, where it stands without its name. */
  private static final int SHORTEST_STRUCK_VALUE = 8;

  private static final Pattern OPTION_VALUE = Pattern.compile("=[^,]+");
  private static final FieldDescriptor MOUNT_FLAGS =
      VolumeCapability.MountVolume.getDescriptor().findFieldByName("mount_flags");

  /** Far below any token and far above the names in the JSON around it. */
  private static final int SHORTEST_TOKEN = 24;

  /** Which message types can hold a secret, somewhere inside. */
  private static final Map<Descriptor, Boolean> HOLDS_SECRETS = new ConcurrentHashMap<>();

  private Redactor() {}

  /** The message on one line, with secret values replaced. The message itself is not touched. */
  static String print(Message message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(redacted(message));
  }

  /** The text without any secret value that the message holds. */
  static String strike(String text, Message message) {
    if (!mayHoldSecrets(message.getDescriptorForType())) {
      return text;
    }
    List<String> secrets = new ArrayList<>();
    collect(message, secrets);
    String struck = text;
    for (String spelling : spellings(secrets)) {
      struck = struck.replace(spelling, STRUCK);
    }
    return struck;
  }

  /** The longest first: of a secret that holds another one no piece must be left over. */
  private static List<String> spellings(List<String> secrets) {
    return secrets.stream()
        .filter(secret -> secret.length() >= SHORTEST_STRUCK)
        .flatMap(secret -> SecretSpellings.of(secret).stream())
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /** The failure as it may be logged: itself, or a copy if its texts hold a secret. */
  static Throwable strike(Throwable failure, Message message) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    String text = trace.toString();
    return strike(text, message).equals(text) ? failure : copy(failure, message, new HashSet<>());
  }

  private static Throwable copy(Throwable failure, Message message, Set<Throwable> seen) {
    String text = strike(String.valueOf(failure), message);
    Throwable cause = failure.getCause();
    RuntimeException copy =
        new RuntimeException(
            text, cause != null && seen.add(cause) ? copy(cause, message, seen) : null);
    copy.setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.add(suppressed)) {
        copy.addSuppressed(copy(suppressed, message, seen));
      }
    }
    return copy;
  }

  private static Message redacted(Message message) {
    Message.Builder copy = message.toBuilder();
    copy.setUnknownFields(redacted(message.getUnknownFields()));
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isMapField()) {
        redactMap(copy, field, (List<?>) entry.getValue());
      } else if (isSecret(field)) {
        redactScalar(copy, field, entry.getValue());
      } else if (field.equals(MOUNT_FLAGS)) {
        copy.setField(field, namesOf((List<?>) entry.getValue()));
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        redactNested(copy, field, entry.getValue());
      }
    }
    return copy.build();
  }

  /** What a later version of the interface has added may be secret there: only its number shows. */
  private static UnknownFieldSet redacted(UnknownFieldSet unknown) {
    UnknownFieldSet.Builder numbers = UnknownFieldSet.newBuilder();
    for (Integer number : unknown.asMap().keySet()) {
      numbers.addField(
          number,
          UnknownFieldSet.Field.newBuilder()
              .addLengthDelimited(ByteString.copyFromUtf8(STRUCK))
              .build());
    }
    return numbers.build();
  }

  private static void redactMap(Message.Builder copy, FieldDescriptor field, List<?> entries) {
    FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
    for (int i = 0; i < entries.size(); i++) {
      Message entry = (Message) entries.get(i);
      if (isSecret(field) || TOKENS.equals(key(entry))) {
        copy.setRepeatedField(field, i, entry.toBuilder().setField(value, STRUCK).build());
      }
    }
  }

  /** Options without their values: a password may be among them, as CIFS takes one. */
  private static List<String> namesOf(List<?> flags) {
    List<String> names = new ArrayList<>();
    for (Object flag : flags) {
      names.add(OPTION_VALUE.matcher((String) flag).replaceAll("=" + STRUCK));
    }
    return names;
  }

  private static void redactScalar(Message.Builder copy, FieldDescriptor field, Object value) {
    if (field.getJavaType() != FieldDescriptor.JavaType.STRING) {
      copy.clearField(field);
    } else if (field.isRepeated()) {
      for (int i = 0; i < ((List<?>) value).size(); i++) {
        copy.setRepeatedField(field, i, STRUCK);
      }
    } else {
      copy.setField(field, STRUCK);
    }
  }

  private static void redactNested(Message.Builder copy, FieldDescriptor field, Object value) {
    if (field.isRepeated()) {
      List<?> messages = (List<?>) value;
      for (int i = 0; i < messages.size(); i++) {
        copy.setRepeatedField(field, i, redacted((Message) messages.get(i)));
      }
    } else {
      copy.setField(field, redacted((Message) value));
    }
  }

  private static void collect(Message message, List<String> secrets) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      for (Object value : values) {
        if (field.isMapField()) {
          collectEntry((Message) value, isSecret(field), secrets);
        } else if (isSecret(field)) {
          secrets.add(String.valueOf(value));
        } else if (field.equals(MOUNT_FLAGS)) {
          collectValues((String) value, secrets);
        } else if (value instanceof Message nested) {
          collect(nested, secrets);
        }
      }
    }
  }

  private static void collectEntry(Message entry, boolean secret, List<String> secrets) {
    String value =
        String.valueOf(entry.getField(entry.getDescriptorForType().findFieldByNumber(2)));
    if (TOKENS.equals(key(entry))) {
      collectQuoted(value, secrets);
      secrets.add(value);
    } else if (secret) {
      secrets.add(value);
    }
  }

  private static void collectValues(String flags, List<String> secrets) {
    Matcher value = OPTION_VALUE.matcher(flags);
    while (value.find()) {
      secrets.add(value.group());
      // Many a number is the value of an option, and would be missed in other sentences.
      if (value.group().length() > SHORTEST_STRUCK_VALUE) {
        secrets.add(value.group().substring(1));
      }
    }
  }

  private static Object key(Message entry) {
    return entry.getField(entry.getDescriptorForType().findFieldByNumber(1));
  }

  /** The tokens come as JSON; an error text may hold one of them alone. */
  private static void collectQuoted(String json, List<String> secrets) {
    for (String part : Splitter.on('"').split(json)) {
      if (part.length() >= SHORTEST_TOKEN) {
        secrets.add(part);
      }
    }
  }

  private static boolean isSecret(FieldDescriptor field) {
    return field.getOptions().getExtension(CsiProto.csiSecret);
  }

  private static boolean mayHoldSecrets(Descriptor type) {
    Boolean known = HOLDS_SECRETS.get(type);
    if (known == null) {
      known = searchSecrets(type, new HashSet<>());
      HOLDS_SECRETS.put(type, known);
    }
    return known;
  }

  private static boolean searchSecrets(Descriptor type, Set<Descriptor> seen) {
    if (!seen.add(type)) {
      return false;
    }
    for (FieldDescriptor field : type.getFields()) {
      // Any string map may carry the tokens that kubelet puts into contexts.
      if (isSecret(field)
          || field.equals(MOUNT_FLAGS)
          || field.isMapField()
          || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              && searchSecrets(field.getMessageType(), seen))) {
        return true;
      }
    }
    return false;
  }
}
