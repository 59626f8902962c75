package dev.csijava.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Writes who keeps which row of the requirement inventory, from the names that the code gives. */
final class RequirementsDocument {
  private static final String FRAMEWORK = "the framework";
  private static final String SHARED = "the driver, helped by the framework";
  private static final String DRIVER = "the driver";
  private static final String OPERATOR = "an operator";

  private final Map<String, Row> rows = read();
  private final Map<String, String> kept = new LinkedHashMap<>();
  private final Map<String, String> helped = new LinkedHashMap<>();
  private final Map<String, String> operators = PipelineRequirements.operators();

  RequirementsDocument() {
    kept.putAll(PipelineRequirements.kept());
    kept.putAll(ValidatedRequirements.kept());
    helped.putAll(ValidatedRequirements.letThrough());
    helped.putAll(PipelineRequirements.keptInPart());
    helped.putAll(ValidatedRequirements.keptInPart());
  }

  /** A row of the inventory, in its order. */
  record Row(
      String id,
      String service,
      String rpc,
      String level,
      String capability,
      String condition,
      String behaviour,
      String code) {}

  Map<String, Row> rows() {
    return rows;
  }

  /** All ids that the code names, which must all be rows. */
  List<String> named() {
    List<String> named = new ArrayList<>(kept.keySet());
    named.addAll(helped.keySet());
    named.addAll(operators.keySet());
    named.addAll(ValidatedRequirements.leftToDriver().keySet());
    return named;
  }

  /** The ids of the rows that the framework keeps, or of which it keeps a part. */
  Set<String> kept() {
    Set<String> ids = new TreeSet<>(kept.keySet());
    ids.addAll(helped.keySet());
    return ids;
  }

  String keeper(Row row) {
    if (kept.containsKey(row.id())) {
      return FRAMEWORK;
    }
    if (operators.containsKey(row.id())) {
      return OPERATOR;
    }
    return helped.containsKey(row.id()) ? SHARED : DRIVER;
  }

  private String how(Row row) {
    String left = ValidatedRequirements.leftToDriver().get(row.id());
    return switch (keeper(row)) {
      case FRAMEWORK -> Objects.requireNonNull(kept.get(row.id()));
      case OPERATOR -> Objects.requireNonNull(operators.get(row.id()));
      case SHARED -> Objects.requireNonNull(helped.get(row.id()));
      default -> left == null ? "" : left;
    };
  }

  String text() {
    StringBuilder text = new StringBuilder(128 * 1024);
    text.append("# Requirements of CSI, and who keeps them\n\n")
        .append("Written by the build from the names in the code (RequirementsDocumentTest of")
        .append(" csi-core); do not edit.\nWhat the framework keeps holds whatever a driver does.")
        .append(" Where it only helps, the last column says with what.\n\n");
    text.append("| kept by | rows |\n|---|---|\n");
    for (String keeper : List.of(FRAMEWORK, SHARED, DRIVER, OPERATOR)) {
      long count = rows.values().stream().filter(row -> keeper(row).equals(keeper)).count();
      text.append("| ").append(keeper).append(" | ").append(count).append(" |\n");
    }
    String section = "";
    for (Row row : rows.values()) {
      String title = row.service() + ": " + row.rpc();
      if (!title.equals(section)) {
        section = title;
        text.append("\n## ").append(title).append("\n\n");
        text.append("| row | level | capability | when | then | code | kept by | how |\n");
        text.append("|---|---|---|---|---|---|---|---|\n");
      }
      for (String cell :
          List.of(
              row.id(),
              row.level(),
              row.capability(),
              row.condition(),
              row.behaviour(),
              row.code(),
              keeper(row),
              how(row))) {
        text.append("| ").append(cell.replace("|", " or ")).append(' ');
      }
      text.append("|\n");
    }
    return text.toString();
  }

  private static Map<String, Row> read() {
    Map<String, Row> rows = new LinkedHashMap<>();
    try (InputStream in = RequirementsDocument.class.getResourceAsStream("requirements.tsv")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      all.lines()
          .skip(1)
          .map(line -> line.split("\t", -1))
          .forEach(c -> rows.put(c[0], new Row(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
