package dev.csijava.benchmarks.report;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One measured figure.
 *
 * @param benchmark the class, with its package, and the method behind a dot
 * @param threads how many at once
 * @param params what was varied, by name
 * @param unit of all values
 * @param median half of what was measured lies below
 * @param low the least that was measured
 * @param high what nine in ten keep to; of a few iterations the most
 * @param allocated bytes an operation, negative if that was not measured
 */
public record Figure(
    String benchmark,
    int threads,
    SortedMap<String, String> params,
    String unit,
    double median,
    double low,
    double high,
    double allocated) {
  private static final double NOT_MEASURED = -1;

  /** Keeps a copy of the map. */
  public Figure {
    params = Collections.unmodifiableSortedMap(new TreeMap<>(params));
  }

  /**
   * What was measured several times.
   *
   * @param values not empty
   */
  public static Figure of(
      String benchmark, Map<String, String> params, String unit, List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return new Figure(
        benchmark,
        1,
        new TreeMap<>(params),
        unit,
        sorted.get(sorted.size() / 2),
        sorted.getFirst(),
        sorted.getLast(),
        NOT_MEASURED);
  }

  /** Reads an entry of a file of results, in the form that JMH writes. */
  static Figure of(Struct entry) {
    Struct metric = entry.getFieldsOrThrow("primaryMetric").getStructValue();
    Struct percentiles = metric.getFieldsOrThrow("scorePercentiles").getStructValue();
    boolean samples = text(entry, "mode").equals("sample");
    SortedMap<String, String> params = new TreeMap<>();
    entry
        .getFieldsOrDefault("params", Value.getDefaultInstance())
        .getStructValue()
        .getFieldsMap()
        .forEach((name, value) -> params.put(name, value.getStringValue()));
    return new Figure(
        text(entry, "benchmark"),
        (int) number(entry, "threads"),
        params,
        text(metric, "scoreUnit"),
        number(percentiles, "50.0"),
        number(percentiles, "0.0"),
        number(percentiles, samples ? "90.0" : "100.0"),
        allocated(entry));
  }

  private static double allocated(Struct entry) {
    Struct more =
        entry.getFieldsOrDefault("secondaryMetrics", Value.getDefaultInstance()).getStructValue();
    for (Map.Entry<String, Value> one : more.getFieldsMap().entrySet()) {
      if (one.getKey().endsWith("gc.alloc.rate.norm")) {
        return number(one.getValue().getStructValue(), "score");
      }
    }
    return NOT_MEASURED;
  }

  private static String text(Struct struct, String name) {
    return struct.getFieldsOrThrow(name).getStringValue();
  }

  private static double number(Struct struct, String name) {
    return struct.getFieldsOrThrow(name).getNumberValue();
  }

  /** The same as an entry of a file of results. */
  Struct toEntry() {
    Struct.Builder percentiles = Struct.newBuilder();
    percentiles.putFields("0.0", value(low));
    percentiles.putFields("50.0", value(median));
    percentiles.putFields("90.0", value(high));
    percentiles.putFields("100.0", value(high));
    Struct.Builder metric = Struct.newBuilder();
    metric.putFields("score", value(median));
    metric.putFields("scoreError", value("NaN"));
    metric.putFields("scorePercentiles", value(percentiles));
    metric.putFields("scoreUnit", value(unit));
    ListValue.Builder fork = ListValue.newBuilder().addValues(value(median));
    metric.putFields(
        "rawData",
        Value.newBuilder()
            .setListValue(ListValue.newBuilder().addValues(Value.newBuilder().setListValue(fork)))
            .build());
    Struct.Builder parameters = Struct.newBuilder();
    params.forEach((name, text) -> parameters.putFields(name, value(text)));
    Struct.Builder entry = Struct.newBuilder();
    entry.putFields("benchmark", value(benchmark));
    entry.putFields("mode", value("ss"));
    entry.putFields("threads", value(threads));
    entry.putFields("params", value(parameters));
    entry.putFields("primaryMetric", value(metric));
    entry.putFields("secondaryMetrics", value(Struct.newBuilder()));
    return entry.build();
  }

  private static Value value(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value value(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value value(Struct.Builder struct) {
    return Value.newBuilder().setStructValue(struct).build();
  }

  /** The name of the class, without its package. */
  String question() {
    String[] parts = benchmark.split("\\.", -1);
    return parts[parts.length - 2];
  }

  /** The name of the method. */
  String method() {
    return benchmark.substring(benchmark.lastIndexOf('.') + 1);
  }

  /** What tells this figure from others of its question, for people. */
  String label() {
    List<String> words = new ArrayList<>(List.of(method()));
    params.forEach((name, text) -> words.add(name + "=" + text));
    return String.join(", ", words);
  }

  /** What tells it from all others; a newer one takes its place. */
  String key() {
    return benchmark + "/" + threads + "/" + params;
  }
}
