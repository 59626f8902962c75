package dev.csijava.testkit.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.testkit.client.CsiRpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Files of keys and values: JSON objects, or the YAML that csi-sanity's files are written in (maps
 * of texts, one level deep or two). What else YAML has is refused rather than taken for a text.
 */
final class KeyValueFile {
  private static final String SECRET = "Secret";
  private static final double LARGEST_EXACT = 1L << 53;

  /** A key, which may stand in quotes, and what stands behind its colon. */
  private static final Pattern PAIR =
      Pattern.compile("(\"[^\"]*\"|'[^']*'|.*?[^:\\s])\\s*:(\\s.*|)");

  /** A comment with the blank before it. */
  private static final Pattern COMMENT = Pattern.compile("\\s+#.*$");

  /** How values begin that YAML does not take as they are. */
  private static final Pattern NO_TEXT = Pattern.compile("[{}\\[\\],&*!|>%@`]|[-?:](\\s|$)");

  private KeyValueFile() {}

  /** Key and value on each line. */
  static Map<String, String> flat(Path file) {
    Map<String, String> flat = new LinkedHashMap<>();
    read(file)
        .forEach(
            (key, value) -> {
              if (value instanceof String text) {
                flat.put(key, text);
              } else {
                throw wrong(file, "the value of " + key + " is not a text");
              }
            });
    return flat;
  }

  /**
   * A map for each RPC, named after it, with or without the ending Secret of csi-sanity's files.
   * csi-sanity's key ControllerValidateVolumeCapabilitiesSecret is taken for the RPC that it means.
   */
  static Map<String, Map<String, String>> secrets(Path file) {
    Map<String, Map<String, String>> secrets = new LinkedHashMap<>();
    read(file)
        .forEach(
            (key, value) -> {
              if (!(value instanceof Map<?, ?> entries)) {
                throw wrong(file, key + " is not a map of secrets");
              }
              String rpc =
                  key.endsWith(SECRET) ? key.substring(0, key.length() - SECRET.length()) : key;
              Map<String, String> copy = new LinkedHashMap<>();
              entries.forEach(
                  (name, secret) -> copy.put(String.valueOf(name), String.valueOf(secret)));
              secrets.put(known(file, key, rpc), copy);
            });
    return secrets;
  }

  /** A slip of the pen would be a driver without its secrets. */
  private static String known(Path file, String key, String rpc) {
    String title =
        rpc.equals("ControllerValidateVolumeCapabilities") ? "ValidateVolumeCapabilities" : rpc;
    return CsiRpc.named(title)
        .map(CsiRpc::title)
        .orElseThrow(
            () -> wrong(file, key + " is named after no RPC, as CreateVolumeSecret would be"));
  }

  private static Map<String, Object> read(Path file) {
    try {
      String text = Files.readString(file);
      return text.stripLeading().startsWith("{") ? json(file, text) : yaml(file, text);
    } catch (InvalidProtocolBufferException e) {
      // What the parser says, and the exception with it, may quote a secret.
      throw wrong(file, "it begins like a JSON object, and is none");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the file "
              + file
              + " can't be read: "
              + (e instanceof NoSuchFileException ? "it does not exist" : e),
          e);
    }
  }

  private static Map<String, Object> json(Path file, String text)
      throws InvalidProtocolBufferException {
    Struct.Builder struct = Struct.newBuilder();
    JsonFormat.parser().merge(text, struct);
    Map<String, Object> map = new LinkedHashMap<>();
    struct
        .getFieldsMap()
        .forEach(
            (key, value) ->
                map.put(
                    key, value.hasStructValue() ? entries(file, value) : text(file, key, value)));
    return map;
  }

  private static Map<String, String> entries(Path file, Value value) {
    Map<String, String> map = new LinkedHashMap<>();
    value
        .getStructValue()
        .getFieldsMap()
        .forEach((key, nested) -> map.put(key, text(file, key, nested)));
    return map;
  }

  private static String text(Path file, String key, Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case NUMBER_VALUE -> number(file, key, value.getNumberValue());
      default -> throw wrong(file, "the value of " + key + " is not a text");
    };
  }

  private static String number(Path file, String key, double number) {
    if (Math.abs(number) > LARGEST_EXACT) {
      throw wrong(file, "the number of " + key + " is not kept to the digit; put it into quotes");
    }
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static Map<String, Object> yaml(Path file, String text) {
    Map<String, Object> map = new LinkedHashMap<>();
    @Nullable Map<String, String> nested = null;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String bare = line.strip();
      if (bare.isEmpty() || bare.startsWith("#") || bare.equals("---")) {
        continue;
      }
      Matcher pair = PAIR.matcher(bare);
      boolean inner = line.startsWith(" ");
      if (!pair.matches() || line.startsWith("\t") || (inner && nested == null)) {
        throw wrong(file, "line " + number + " is not of the form key: value");
      }
      String key = unquoted(pair.group(1).strip());
      boolean opens = opens(pair.group(2));
      if (opens && inner) {
        throw wrong(file, "line " + number + " has no value; write \"\" for an empty one");
      } else if (opens) {
        nested = new LinkedHashMap<>();
        map.put(key, nested);
      } else if (nested != null && inner) {
        nested.put(key, value(file, number, pair.group(2).strip()));
      } else {
        String value = value(file, number, pair.group(2).strip());
        nested = null;
        map.put(key, value.equals("{}") ? new LinkedHashMap<String, String>() : value);
      }
    }
    return map;
  }

  /** Whether nothing but a comment stands behind a key, so that a map follows. */
  private static boolean opens(String behind) {
    return behind.isBlank() || COMMENT.matcher(behind).lookingAt();
  }

  private static String value(Path file, int line, String text) {
    if (text.startsWith("\"") || text.startsWith("'")) {
      int end = text.indexOf(text.charAt(0), 1);
      String behind = end < 0 ? "" : text.substring(end + 1);
      boolean plain = end > 0 && text.substring(1, end).indexOf('\\') < 0;
      if (!plain || !opens(behind)) {
        throw wrong(file, "line " + line + " has quotes within quotes, or more behind; use JSON");
      }
      return text.substring(1, end);
    }
    String bare = COMMENT.matcher(" " + text).replaceFirst("").strip();
    if (!bare.equals("{}") && NO_TEXT.matcher(bare).lookingAt()) {
      throw wrong(file, "the value in line " + line + " is no plain text; put it into quotes");
    }
    return bare;
  }

  private static String unquoted(String text) {
    boolean quoted =
        text.length() >= 2
            && (text.startsWith("\"") || text.startsWith("'"))
            && text.charAt(0) == text.charAt(text.length() - 1);
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static IllegalArgumentException wrong(Path file, String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
