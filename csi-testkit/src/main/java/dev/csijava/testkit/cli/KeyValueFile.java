package dev.csijava.testkit.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files of keys and values: JSON objects, or the YAML that csi-sanity's files are written in (maps
 * of texts, one level deep or two).
 */
final class KeyValueFile {
  private static final String SECRET = "Secret";

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
              secrets.put(
                  rpc.equals("ControllerValidateVolumeCapabilities")
                      ? "ValidateVolumeCapabilities"
                      : rpc,
                  copy);
            });
    return secrets;
  }

  private static Map<String, Object> read(Path file) {
    try {
      String text = Files.readString(file);
      return text.stripLeading().startsWith("{") ? json(text) : yaml(file, text);
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

  private static Map<String, Object> json(String text) throws InvalidProtocolBufferException {
    Struct.Builder struct = Struct.newBuilder();
    JsonFormat.parser().merge(text, struct);
    Map<String, Object> map = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((key, value) -> map.put(key, plain(value)));
    return map;
  }

  private static Object plain(Value value) {
    if (value.hasStructValue()) {
      Map<String, String> map = new LinkedHashMap<>();
      value
          .getStructValue()
          .getFieldsMap()
          .forEach((key, nested) -> map.put(key, String.valueOf(plain(nested))));
      return map;
    }
    if (value.hasNumberValue() && value.getNumberValue() == Math.rint(value.getNumberValue())) {
      return Long.toString((long) value.getNumberValue());
    }
    return switch (value.getKindCase()) {
      case NUMBER_VALUE -> Double.toString(value.getNumberValue());
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      default -> value.getStringValue();
    };
  }

  private static Map<String, Object> yaml(Path file, String text) {
    Map<String, Object> map = new LinkedHashMap<>();
    Map<String, String> nested = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String bare = line.strip();
      if (bare.isEmpty() || bare.startsWith("#") || bare.equals("---")) {
        continue;
      }
      int colon = bare.indexOf(':');
      if (colon <= 0 || line.startsWith("\t")) {
        throw wrong(file, "line " + number + " is not of the form key: value");
      }
      String key = unquoted(bare.substring(0, colon).strip());
      String value = unquoted(bare.substring(colon + 1).strip());
      if (line.startsWith(" ")) {
        nested.put(key, value);
      } else if (value.isEmpty() && !bare.endsWith("\"\"") && !bare.endsWith("''")) {
        nested = new LinkedHashMap<>();
        map.put(key, nested);
      } else {
        map.put(key, value.equals("{}") ? new LinkedHashMap<String, String>() : value);
      }
    }
    return map;
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
