package dev.csijava.testkit.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file of secrets for one call: a JSON object of strings, or lines of {@code key=value}. */
final class SecretsFile {
  private SecretsFile() {}

  /**
   * Reads it.
   *
   * @throws IOException with a sentence that repeats nothing of the content
   */
  static Map<String, String> read(Path file) throws IOException {
    String text = Files.readString(file);
    return text.strip().startsWith("{") ? json(file, text) : lines(file, text);
  }

  private static Map<String, String> json(Path file, String text) throws IOException {
    Struct.Builder object = Struct.newBuilder();
    try {
      JsonFormat.parser().merge(text, object);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(file + " is no JSON object"); // without the cause, which may quote it
    }
    Map<String, String> secrets = new LinkedHashMap<>();
    for (var entry : object.getFieldsMap().entrySet()) {
      if (!entry.getValue().hasStringValue()) {
        throw new IOException("a secret in " + file + " is no string");
      }
      secrets.put(entry.getKey(), entry.getValue().getStringValue());
    }
    return secrets;
  }

  private static Map<String, String> lines(Path file, String text) throws IOException {
    Map<String, String> secrets = new LinkedHashMap<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw new IOException("a line of " + file + " is not key=value");
      }
      secrets.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
    }
    return secrets;
  }
}
