package dev.csijava.testkit.report;

import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The report as one HTML page that loads nothing: summary, grid, failures with their calls, then
 * every row. The search works by a script in the page; everything else does without.
 */
final class HtmlPage {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final RunReport report;
  private final Html html = new Html();

  private HtmlPage(RunReport report) {
    this.report = report;
  }

  static String of(RunReport report) {
    HtmlPage page = new HtmlPage(report);
    page.write();
    return page.html.toString();
  }

  private void write() {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.raw("style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    html.element("title", "", "CSI conformance of " + report.driver().getName());
    html.raw("<style>\n").raw(resource("page.css")).raw("</style>\n</head>\n<body>\n");
    summary();
    html.raw("<main>\n");
    controls();
    failures();
    grid();
    everything();
    html.raw("</main>\n<script>\n").raw(resource("page.js")).raw("</script>\n</body>\n</html>\n");
  }

  private void summary() {
    html.raw("<header>\n");
    html.element("h1", "", "CSI conformance of " + report.driver().getName());
    html.element(
        "p",
        " class=\"soft\"",
        "version "
            + report.driver().getVendorVersion()
            + " at "
            + report.endpoint()
            + ", "
            + TIME.format(report.began())
            + ", "
            + report.cases().size()
            + " cases in "
            + report.duration().toSeconds()
            + " s");
    html.raw("<ul class=\"counts\">\n");
    for (Verdict verdict : Verdict.values()) {
      html.raw("<li class=\"" + word(verdict) + "\">");
      html.element("b", "", Long.toString(report.count(verdict)));
      html.text(word(verdict)).raw("</li>\n");
    }
    html.raw("</ul>\n<div class=\"bar\" aria-hidden=\"true\">");
    for (Verdict verdict : Verdict.values()) {
      html.raw("<span class=\"" + word(verdict) + "\" style=\"flex:" + report.count(verdict));
      html.raw("\"></span>");
    }
    html.raw("</div>\n");
    html.element("p", "", report.closingLine());
    if (!report.engineLine().isEmpty()) {
      html.element("p", "", report.engineLine());
    }
    if (!report.broken().isEmpty()) {
      html.element("p", " class=\"failed\"", "The run was broken off: " + report.broken());
    }
    report.leftovers().forEach(left -> html.element("p", " class=\"failed\"", "Left: " + left));
    html.raw("<details><summary>What the driver advertises</summary><div>");
    html.element("p", "", String.join(", ", report.advertised()));
    html.raw("</div></details>\n</header>\n");
  }

  private void controls() {
    html.raw("<div class=\"controls\">\n<label for=\"search\">Search</label>\n");
    html.raw("<input type=\"search\" id=\"search\" autocomplete=\"off\" ");
    html.raw("placeholder=\"id, RPC, code, words\">\n");
    for (Verdict verdict : Verdict.values()) {
      html.raw("<label class=\"" + word(verdict) + "\"><input type=\"checkbox\" checked ");
      html.raw("data-verdict=\"" + word(verdict) + "\"> " + word(verdict) + "</label>\n");
    }
    html.raw(
        "<output id=\"found\" data-all=\"" + report.everyRow().size() + "\"></output>\n</div>\n");
    html.element("p", " class=\"soft keys\"", "Keys: / searches, n and p go through the failures.");
  }

  private void failures() {
    List<RunReport.Row> failed =
        report.everyRow().stream().filter(row -> row.verdict() == Verdict.FAILED).toList();
    html.raw("<section id=\"failures\" data-part>\n");
    if (!failed.isEmpty()) {
      html.element("h2", "", "Failures");
    }
    failed.forEach(row -> HtmlRow.write(html, row, "failure-"));
    html.raw("</section>\n");
  }

  private void grid() {
    html.element("h2", "", "Grid");
    html.raw("<table class=\"grid\">\n");
    String service = "";
    for (List<RunReport.Row> rows : byRpc().values()) {
      RunReport.Row first = rows.get(0);
      if (!first.requirement().service().equals(service)) {
        service = first.requirement().service();
        html.raw("<tr><td colspan=\"2\">").element("h3", "", service).raw("</td></tr>\n");
      }
      html.raw("<tr>").element("th", " scope=\"row\"", first.requirement().rpc());
      html.raw("<td><div class=\"cells\">");
      for (RunReport.Row row : rows) {
        String label = row.requirement().id() + ", " + word(row.verdict());
        html.raw("<a class=\"" + word(row.verdict()) + "\" href=\"#" + row.requirement().id());
        html.raw("\" title=\"" + Html.escaped(label + ": " + row.requirement().sentence()));
        html.raw("\" aria-label=\"" + Html.escaped(label) + "\">");
        html.text(HtmlRow.mark(row.verdict())).raw("</a>");
      }
      html.raw("</div></td></tr>\n");
    }
    html.raw("</table>\n");
  }

  private void everything() {
    html.element("h2", "", "Every requirement");
    for (List<RunReport.Row> rows : byRpc().values()) {
      RunReport.Row first = rows.get(0);
      html.raw("<section data-part>\n");
      html.element("h3", "", first.requirement().service() + ": " + first.requirement().rpc());
      rows.forEach(row -> HtmlRow.write(html, row, ""));
      html.raw("</section>\n");
    }
  }

  private Map<String, List<RunReport.Row>> byRpc() {
    Map<String, List<RunReport.Row>> parts = new LinkedHashMap<>();
    for (String service :
        report.everyRow().stream().map(row -> row.requirement().service()).distinct().toList()) {
      for (RunReport.Row row : report.everyRow()) {
        if (row.requirement().service().equals(service)) {
          parts
              .computeIfAbsent(service + "/" + row.requirement().rpc(), key -> new ArrayList<>())
              .add(row);
        }
      }
    }
    return parts;
  }

  static String word(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  private static String resource(String name) {
    try (InputStream stream =
        Objects.requireNonNull(HtmlPage.class.getResourceAsStream(name), name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
