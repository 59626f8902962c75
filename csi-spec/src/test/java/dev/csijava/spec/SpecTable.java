package dev.csijava.spec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The published interface of CSI 1.12 and 1.13, read from the tables beside this class.
 *
 * <p>The tables were not made from our csi.proto, so that comparing the two means something.
 */
final class SpecTable {

  /** The value of a column that has nothing to say. */
  static final String NONE = "-";

  /** A message. */
  record Message(String name, String options, String versions) {
    @Override
    public String toString() {
      return "message %s [%s]".formatted(name, options);
    }
  }

  /** A field; its type is written as in a proto file, without our package. */
  record Field(
      String message,
      String name,
      int number,
      String type,
      String label,
      String options,
      String versions) {
    @Override
    public String toString() {
      return "%s.%s = %d, %s, %s [%s]".formatted(message, name, number, type, label, options);
    }
  }

  /** A value of an enum. */
  record EnumValue(String enumName, String name, int number, String options, String versions) {
    @Override
    public String toString() {
      return "%s.%s = %d [%s]".formatted(enumName, name, number, options);
    }
  }

  /** An RPC; its options are those of its service as well. */
  record Rpc(
      String service,
      String name,
      String request,
      String response,
      String kind,
      String options,
      String versions) {
    @Override
    public String toString() {
      return "%s.%s(%s) returns (%s), %s [%s]"
          .formatted(service, name, request, response, kind, options);
    }
  }

  /** An option that the file defines. */
  record Extension(String target, String name, int number, String type) {
    @Override
    public String toString() {
      return "extend %s { %s %s = %d }".formatted(target, type, name, number);
    }
  }

  private SpecTable() {}

  static List<Message> messages() {
    return rows("messages.tsv", 7).stream()
        .filter(c -> c.get(1).equals(NONE))
        .map(c -> new Message(c.get(0), c.get(5), c.get(6)))
        .toList();
  }

  static List<Field> fields() {
    return rows("messages.tsv", 7).stream()
        .filter(c -> !c.get(1).equals(NONE))
        .map(
            c ->
                new Field(
                    c.get(0),
                    c.get(1),
                    Integer.parseInt(c.get(2)),
                    c.get(3),
                    c.get(4),
                    c.get(5),
                    c.get(6)))
        .toList();
  }

  static List<EnumValue> enumValues() {
    return rows("enums.tsv", 5).stream()
        .map(c -> new EnumValue(c.get(0), c.get(1), Integer.parseInt(c.get(2)), c.get(3), c.get(4)))
        .toList();
  }

  static List<Rpc> rpcs() {
    return rows("rpcs.tsv", 7).stream()
        .map(c -> new Rpc(c.get(0), c.get(1), c.get(2), c.get(3), c.get(4), c.get(5), c.get(6)))
        .toList();
  }

  static List<Extension> extensions() {
    return rows("extensions.tsv", 4).stream()
        .map(c -> new Extension(c.get(0), c.get(1), Integer.parseInt(c.get(2)), c.get(3)))
        .toList();
  }

  /**
   * Whether a row with this {@code versions} column belongs to {@code version}, "1.12" or "1.13".
   */
  static boolean isIn(String versions, String version) {
    return versions.equals("both") || versions.equals(version);
  }

  private static List<List<String>> rows(String resource, int columns) {
    try (var in = Objects.requireNonNull(SpecTable.class.getResourceAsStream(resource), resource);
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> cells(resource, line, columns))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> cells(String resource, String line, int columns) {
    List<String> cells = List.of(line.split("\t", -1));
    if (cells.size() != columns) {
      throw new IllegalStateException(
          "%s: %d columns instead of %d in: %s".formatted(resource, cells.size(), columns, line));
    }
    return cells;
  }
}
