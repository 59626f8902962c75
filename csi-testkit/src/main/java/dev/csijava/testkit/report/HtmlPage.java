package dev.csijava.testkit.report;

import dev.csijava.testkit.conformance.RunReport;

/** The report as one HTML page. */
final class HtmlPage {
  private HtmlPage() {}

  static String of(RunReport report) {
    return "<!DOCTYPE html><title>" + report.closingLine() + "</title>";
  }
}
