package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;

/**
 * What a run found as lines for a console.
 *
 * @since 0.1.0
 */
public final class LoadText {
  static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
  private static final int BAR = 40;

  private final LoadResult result;
  private final List<String> lines = new ArrayList<>();

  private LoadText(LoadResult result) {
    this.result = result;
  }

  /**
   * The lines: figures of each RPC with the ratio of two drivers, histograms, what went wrong.
   *
   * @since 0.1.0
   */
  public static List<String> of(LoadResult result) {
    LoadText text = new LoadText(result);
    text.write();
    return List.copyOf(text.lines);
  }

  static String title(LoadResult result) {
    LoadSettings settings = result.settings();
    return String.format(
        Locale.ROOT,
        "%s: %d volumes, %d at once, %.1f s for each driver, %s",
        settings.work().name().toLowerCase(Locale.ROOT),
        settings.volumes(),
        settings.concurrency(),
        settings.duration().toMillis() / 1000.0,
        settings.newConnection() ? "a new connection for every call" : "one connection");
  }

  static String driver(LoadResult result, int index) {
    DriverFigures driver = result.drivers().get(index);
    return driver.name() + " " + driver.version() + " at " + driver.endpoint();
  }

  private void write() {
    lines.add(title(result));
    for (int i = 0; i < result.drivers().size(); i++) {
      lines.add(LoadResult.letter(i) + "  " + driver(result, i));
    }
    for (CsiRpc rpc : result.rpcs()) {
      lines.add("");
      figures(rpc);
      histogram(rpc);
    }
    lines.addAll(failures(result));
    result.leftovers().forEach(left -> lines.add("left behind: " + left));
    if (!result.broken().isEmpty()) {
      lines.add("the run was broken off: " + result.broken());
    }
  }

  private void figures(CsiRpc rpc) {
    lines.add(rpc.title());
    lines.add(format("", "calls", "failed", "per s", "mean", "p50", "p90", "p99", "p99.9", "max"));
    rows(result, rpc).forEach(cells -> lines.add(format(cells.toArray(new String[0]))));
  }

  /** A row for each driver, and one of the second over the first. */
  static List<List<String>> rows(LoadResult result, CsiRpc rpc) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < result.drivers().size(); i++) {
      DriverFigures driver = result.drivers().get(i);
      String letter = LoadResult.letter(i);
      driver.of(rpc).ifPresent(calls -> rows.add(row(letter, calls, driver.rate(rpc))));
    }
    if (result.ratio(rpc, 100).isPresent()) {
      rows.add(ratios(result, rpc));
    }
    return rows;
  }

  private static List<String> row(String letter, CallFigures calls, double rate) {
    List<String> cells = new ArrayList<>();
    cells.add(letter);
    cells.add(Long.toString(calls.calls()));
    cells.add(Long.toString(calls.failed()));
    cells.add(Times.rate(rate));
    cells.add(Times.text(calls.mean()));
    for (double percent : PERCENTILES) {
      cells.add(Times.text((double) calls.percentile(percent)));
    }
    return cells;
  }

  private static List<String> ratios(LoadResult result, CsiRpc rpc) {
    List<String> cells = new ArrayList<>(List.of("B / A", "", ""));
    double rate = result.drivers().get(1).rate(rpc) / result.drivers().get(0).rate(rpc);
    cells.add(Times.ratio(rate));
    cells.add(Times.ratio(result.ratio(rpc, CallFigures::mean).orElse(Double.NaN)));
    for (double percent : PERCENTILES) {
      cells.add(Times.ratio(result.ratio(rpc, percent).orElse(Double.NaN)));
    }
    return cells;
  }

  private static String format(String... cells) {
    return String.format(Locale.ROOT, "  %-6s%10s%8s%10s%10s%10s%10s%10s%10s%10s", (Object[]) cells)
        .stripTrailing();
  }

  private void histogram(CsiRpc rpc) {
    for (int i = 0; i < result.drivers().size(); i++) {
      NavigableMap<Long, Long> buckets = result.drivers().get(i).buckets(rpc);
      long most = buckets.values().stream().mapToLong(Long::longValue).max().orElse(1);
      String letter = LoadResult.letter(i);
      buckets.forEach(
          (bound, count) ->
              lines.add(
                  String.format(
                          Locale.ROOT,
                          "  %s  < %-7s%10d %s",
                          letter,
                          Times.bound(bound),
                          count,
                          "#".repeat((int) ((count * BAR + most - 1) / most)))
                      .stripTrailing()));
    }
  }

  static List<String> failures(LoadResult result) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < result.drivers().size(); i++) {
      String letter = LoadResult.letter(i);
      result
          .drivers()
          .get(i)
          .calls()
          .forEach(
              (rpc, calls) -> {
                if (calls.failed() > 0) {
                  found.add(
                      letter
                          + ": "
                          + calls.failed()
                          + " calls of "
                          + rpc.title()
                          + " failed, first: "
                          + calls.firstFailure());
                }
              });
    }
    return found;
  }
}
