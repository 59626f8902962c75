package dev.csijava.benchmarks.report;

import dev.csijava.testkit.report.Html;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All results as one HTML page that loads nothing and runs nothing, for screen and print. */
final class Page {
  private static final List<String> COLUMNS =
      List.of("", "median", "least", "nine in ten", "allocated");

  private final Html html = new Html();

  private Page() {}

  /**
   * @param machine a sentence about where and when this was measured
   */
  static String of(List<Figure> figures, String machine) throws IOException {
    Page page = new Page();
    page.write(figures, machine);
    return page.html.toString();
  }

  private void write(List<Figure> figures, String machine) throws IOException {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.raw("style-src 'unsafe-inline'\">\n").element("title", "", "Benchmarks of csi-java");
    html.raw("<style>\n").raw(style()).raw("</style>\n</head>\n<body>\n");
    html.element("h1", "", "Benchmarks of csi-java").element("p", "", machine);
    html.element(
        "p",
        "",
        "A bar ends at the median. The line across its end goes from the least that was measured to"
            + " what nine in ten keep to; of few iterations to the most.");
    targets(figures);
    Map<String, List<Figure>> questions = new LinkedHashMap<>();
    figures.forEach(
        figure ->
            questions
                .computeIfAbsent(
                    figure.question() + " (" + figure.unit() + ")", k -> new ArrayList<>())
                .add(figure));
    questions.forEach(this::question);
    html.raw("</body>\n</html>\n");
  }

  private void targets(List<Figure> figures) {
    html.element("h2", "", "Targets").raw("<table>\n<tr>");
    List.of("what", "target", "measured", "").forEach(c -> html.element("th", " scope=\"col\"", c));
    html.raw("</tr>\n");
    for (Target.Verdict verdict : Target.judge(figures)) {
      html.raw("<tr>").element("th", " scope=\"row\"", verdict.what());
      html.element("td", "", verdict.wanted()).element("td", "", verdict.seen());
      html.element("td", " class=\"" + verdict.word() + "\"", verdict.word()).raw("</tr>\n");
    }
    html.raw("</table>\n");
  }

  private void question(String title, List<Figure> figures) {
    html.raw("<section>\n").element("h2", "", title);
    Question.named(figures.getFirst().question())
        .ifPresent(question -> html.element("p", "", question.words()));
    BarPlot.write(figures, html);
    html.raw("<details open>\n<summary>Figures</summary>\n<table>\n<tr>");
    COLUMNS.forEach(column -> html.element("th", " scope=\"col\"", column));
    html.raw("</tr>\n");
    for (Figure figure : figures) {
      html.raw("<tr>").element("th", " scope=\"row\"", figure.label());
      cell(Numbers.of(figure.median(), figure.unit()));
      cell(Numbers.of(figure.low(), figure.unit()));
      cell(Numbers.of(figure.high(), figure.unit()));
      cell(figure.allocated() < 0 ? "" : Numbers.of(figure.allocated(), "B"));
      html.raw("</tr>\n");
    }
    html.raw("</table>\n</details>\n</section>\n");
  }

  private void cell(String text) {
    html.element("td", "", text);
  }

  private static String style() throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(Page.class.getResourceAsStream("page.css"), "page.css")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
