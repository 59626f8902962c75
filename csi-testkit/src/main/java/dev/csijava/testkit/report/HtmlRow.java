package dev.csijava.testkit.report;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.requirement.Requirement;

/** One row of the inventory on the page, which opens to what was found. */
final class HtmlRow {
  private HtmlRow() {}

  static void write(Html html, RunReport.Row row, String idPrefix) {
    Requirement requirement = row.requirement();
    String word = HtmlPage.word(row.verdict());
    html.raw("<details id=\"" + idPrefix + requirement.id() + "\" class=\"is" + word + "\"");
    html.raw(" data-verdict=\"" + word + "\">\n<summary>");
    html.raw("<span class=\"mark " + word + "\" aria-label=\"" + word + "\">");
    html.text(mark(row.verdict())).raw("</span><span class=\"id\">").text(requirement.id());
    html.raw("</span>").text(requirement.sentence()).raw("</summary>\n<div>\n<dl>");
    pair(html, "level", requirement.level());
    pair(html, "capability", requirement.capability());
    pair(html, "codes", String.join(" or ", requirement.codes()));
    pair(html, "verdict", word + (row.reason().isEmpty() ? "" : ": " + row.reason()));
    html.raw("</dl>\n");
    row.results().forEach(result -> result(html, result));
    html.raw("</div>\n</details>\n");
  }

  private static void result(Html html, RowResult result) {
    html.raw("<dl>");
    pair(html, "case", result.caseId() + ": " + HtmlPage.word(result.verdict()));
    pair(html, "because", result.reason());
    pair(html, "expected", result.expected());
    pair(html, "came", result.came());
    pair(html, "seen", String.join("; ", result.notes()));
    html.raw("</dl>\n");
    if (!result.calls().isEmpty()) {
      html.raw("<pre>");
      result.calls().forEach(call -> html.text(call(call)));
      html.raw("</pre>\n");
    }
  }

  private static String call(CallRecord call) {
    String answer = call.message().isEmpty() ? call.response() : call.message();
    return call.rpc()
        + " { "
        + call.request()
        + " }\n  -> "
        + call.code()
        + " after "
        + call.duration().toMillis()
        + " ms"
        + (answer.isEmpty() ? "" : ": " + answer)
        + "\n";
  }

  private static void pair(Html html, String name, String value) {
    if (!value.isEmpty()) {
      html.element("dt", "", name).element("dd", "", value);
    }
  }

  static String mark(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> "\u2713";
      case FAILED -> "\u2717";
      case SKIPPED -> "\u2013";
      case UNTESTABLE -> "\u00b7";
    };
  }
}
