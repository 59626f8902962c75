package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.report.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/** What a run found as one HTML page that loads nothing and runs nothing. */
final class LoadPage {
  private static final List<String> COLUMNS =
      List.of("", "calls", "failed", "per s", "mean", "p50", "p90", "p99", "p99.9", "max");

  private final LoadResult result;
  private final Html html = new Html();

  private LoadPage(LoadResult result) {
    this.result = result;
  }

  static String of(LoadResult result) {
    LoadPage page = new LoadPage(result);
    page.write();
    return page.html.toString();
  }

  private void write() {
    String title = "Load: " + LoadText.title(result);
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.raw("style-src 'unsafe-inline'\">\n").element("title", "", title);
    html.raw("<style>\n").raw(style()).raw("</style>\n</head>\n<body>\n<header>\n");
    html.element("h1", "", title);
    html.element("p", " class=\"soft\"", result.began().truncatedTo(ChronoUnit.SECONDS).toString());
    for (int i = 0; i < result.drivers().size(); i++) {
      String letter = LoadResult.letter(i);
      html.raw("<p><b class=\"" + letter + "\">" + letter + "</b> ");
      html.text(LoadText.driver(result, i)).raw("</p>\n");
    }
    LoadText.failures(result).forEach(line -> html.element("p", " class=\"failed\"", line));
    result.leftovers().forEach(left -> html.element("p", " class=\"failed\"", "Left: " + left));
    if (!result.broken().isEmpty()) {
      html.element("p", " class=\"failed\"", "The run was broken off: " + result.broken());
    }
    html.raw("</header>\n<main>\n");
    for (CsiRpc rpc : result.rpcs()) {
      html.element("h2", "", rpc.title());
      figures(rpc);
      histogram(rpc);
    }
    html.raw("</main>\n</body>\n</html>\n");
  }

  private void figures(CsiRpc rpc) {
    html.raw("<table>\n<tr>");
    COLUMNS.forEach(column -> html.element("th", " scope=\"col\"", column));
    html.raw("</tr>\n");
    LoadText.rows(result, rpc).forEach(this::row);
    html.raw("</table>\n");
  }

  private void row(List<String> cells) {
    html.raw("<tr>").element("th", " scope=\"row\"", cells.get(0));
    cells.stream().skip(1).forEach(cell -> html.element("td", "", cell));
    html.raw("</tr>\n");
  }

  /** Both drivers side by side, a bar being a driver's share of its calls. */
  private void histogram(CsiRpc rpc) {
    List<NavigableMap<Long, Long>> all = new ArrayList<>();
    NavigableSet<Long> bounds = new TreeSet<>();
    for (DriverFigures driver : result.drivers()) {
      all.add(driver.buckets(rpc));
      bounds.addAll(driver.buckets(rpc).keySet());
    }
    html.raw("<table class=\"bars\">\n<caption>Calls by latency</caption>\n");
    for (long bound : bounds) {
      html.raw("<tr>").element("th", " scope=\"row\"", "< " + Times.bound(bound)).raw("<td>");
      for (int i = 0; i < all.size(); i++) {
        long count = all.get(i).getOrDefault(bound, 0L);
        long sum = all.get(i).values().stream().mapToLong(Long::longValue).sum();
        double width = sum == 0 ? 0 : 100.0 * count / sum;
        html.raw("<div class=\"" + LoadResult.letter(i) + "\"><span style=\"width:");
        html.raw(String.format(Locale.ROOT, "%.2f", width)).raw("%\"></span>");
        html.text(count == 0 ? "" : Long.toString(count)).raw("</div>");
      }
      html.raw("</td></tr>\n");
    }
    html.raw("</table>\n");
  }

  private static String style() {
    try (InputStream stream =
        Objects.requireNonNull(LoadPage.class.getResourceAsStream("load.css"), "load.css")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
