package dev.csijava.benchmarks.report;

import dev.csijava.testkit.report.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of one unit as bars, each with its median, its range and the number, as SVG. */
final class BarPlot {
  private static final int WIDTH = 920;
  private static final int LABELS = 400;
  private static final int BARS = 400;
  private static final int ROW = 24;
  private static final int TOP = 28;
  private static final int WHISKER = 4;

  private final List<Figure> figures;
  private final Scale scale;
  private final Html html;

  private BarPlot(List<Figure> figures, Html html) {
    this.figures = figures;
    this.html = html;
    List<Double> values = new ArrayList<>();
    figures.forEach(figure -> values.addAll(List.of(figure.median(), figure.low(), figure.high())));
    this.scale = Scale.of(values, BARS);
  }

  static void write(List<Figure> figures, Html html) {
    new BarPlot(figures, html).write();
  }

  private void write() {
    int height = TOP + figures.size() * ROW + 4;
    html.raw(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"bars\">\n",
            WIDTH,
            height));
    for (double tick : scale.ticks()) {
      double x = LABELS + scale.at(tick);
      html.raw(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
              x,
              TOP - 6,
              x,
              height - 4));
      text(x, TOP - 12, "middle", Numbers.of(tick));
    }
    for (int i = 0; i < figures.size(); i++) {
      bar(figures.get(i), TOP + i * ROW);
    }
    html.raw("</svg>\n");
  }

  private void bar(Figure figure, int top) {
    double middle = top + ROW / 2.0;
    text(LABELS - 8, middle + 4, "end", figure.label());
    html.raw(
        String.format(
            Locale.ROOT,
            "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
            LABELS,
            top + 5,
            scale.at(figure.median()),
            ROW - 10));
    double from = LABELS + scale.at(figure.low());
    double to = LABELS + scale.at(figure.high());
    html.raw(
        String.format(
            Locale.ROOT,
            "<path class=\"error\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv%dM%.1f %.1fv%d\"/>\n",
            from,
            middle,
            to,
            from,
            middle - WHISKER,
            2 * WHISKER,
            to,
            middle - WHISKER,
            2 * WHISKER));
    double beside = Math.max(to, LABELS + scale.at(figure.median())) + 6;
    text(beside, middle + 4, "start", Numbers.of(figure.median(), figure.unit()));
  }

  private void text(double x, double y, String anchor, String words) {
    html.raw(
        String.format(
            Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor));
    html.text(words).raw("</text>\n");
  }
}
