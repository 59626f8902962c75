package dev.csijava.benchmarks.report;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results as a file: one JSON array in the form that JMH writes, so that programs which read that
 * read this. A figure that is measured again takes the place of the older one.
 */
final class Results {
  private final Map<String, Struct> entries = new LinkedHashMap<>();

  /** None. */
  Results() {}

  /** Those of a file; none if it is not there. */
  static Results read(Path file) throws IOException {
    Results results = new Results();
    if (Files.exists(file)) {
      results.addJson(Files.readString(file));
    }
    return results;
  }

  /** Adds what JMH wrote. */
  void addJson(String json) throws IOException {
    ListValue.Builder list = ListValue.newBuilder();
    JsonFormat.parser().merge(json, list);
    for (Value value : list.getValuesList()) {
      add(value.getStructValue());
    }
  }

  /** Adds what was measured otherwise. */
  void add(List<Figure> figures) {
    figures.forEach(figure -> add(figure.toEntry()));
  }

  /** Adds those of another run. */
  void add(Results others) {
    others.entries.values().forEach(this::add);
  }

  private void add(Struct entry) {
    String key = Figure.of(entry).key();
    // To the end: pages then show what was measured last below.
    entries.remove(key);
    entries.put(key, entry);
  }

  List<Figure> figures() {
    return entries.values().stream().map(Figure::of).toList();
  }

  void write(Path file) throws IOException {
    ListValue.Builder list = ListValue.newBuilder();
    entries.values().forEach(entry -> list.addValues(Value.newBuilder().setStructValue(entry)));
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, JsonFormat.printer().print(list) + "\n");
  }
}
