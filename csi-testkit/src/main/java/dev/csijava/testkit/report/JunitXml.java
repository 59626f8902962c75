package dev.csijava.testkit.report;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Verdict;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The report as JUnit XML: a test case for every row of the inventory, and beyond it. */
final class JunitXml {
  private final XMLStreamWriter xml;

  private JunitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static String of(RunReport report) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      new JunitXml(xml).write(report);
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  private void write(RunReport report) throws XMLStreamException {
    long failed = count(report, Verdict.FAILED);
    long skipped = count(report, Verdict.SKIPPED) + count(report, Verdict.UNTESTABLE);
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "csi-testkit: " + clean(report.driver().getName()));
    List<String> errors = errors(report);
    xml.writeAttribute("tests", Integer.toString(report.everyRow().size() + errors.size()));
    xml.writeAttribute("failures", Long.toString(failed));
    xml.writeAttribute("errors", Integer.toString(errors.size()));
    xml.writeAttribute("skipped", Long.toString(skipped));
    xml.writeAttribute("timestamp", report.began().toString());
    xml.writeAttribute("time", seconds(report.duration().toMillis()));
    for (RunReport.Row row : report.everyRow()) {
      row(row);
    }
    for (String error : errors) {
      error(error);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  /** What makes a run not clean beside its rows: whoever reads this file alone must see it too. */
  private static List<String> errors(RunReport report) {
    List<String> errors = new ArrayList<>();
    if (!report.broken().isEmpty()) {
      errors.add("the run was broken off: " + report.broken());
    }
    report.leftovers().forEach(left -> errors.add("left behind: " + left));
    return errors;
  }

  private void error(String sentence) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", "run");
    xml.writeAttribute("name", clean(sentence));
    xml.writeEmptyElement("error");
    xml.writeAttribute("message", clean(sentence));
    xml.writeEndElement();
  }

  private static long count(RunReport report, Verdict verdict) {
    return report.everyRow().stream().filter(row -> row.verdict() == verdict).count();
  }

  private void row(RunReport.Row row) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", row.requirement().service() + "." + row.requirement().rpc());
    xml.writeAttribute("name", row.requirement().id() + " " + row.requirement().sentence());
    switch (row.verdict()) {
      case FAILED -> failure(row.results());
      case SKIPPED -> skipped(row.reason());
      case UNTESTABLE -> skipped("not testable from outside: " + row.reason());
      case PASSED -> {}
    }
    xml.writeEndElement();
  }

  private void skipped(String reason) throws XMLStreamException {
    xml.writeEmptyElement("skipped");
    xml.writeAttribute("message", clean(reason));
  }

  private void failure(List<RowResult> results) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    String message = "";
    for (RowResult result : results) {
      if (result.verdict() == Verdict.FAILED) {
        message = "expected " + result.expected() + " but came " + result.came();
        text.append(result.caseId()).append(": ").append(message).append('\n');
        for (CallRecord call : result.calls()) {
          text.append(call.rpc()).append(" { ").append(call.request()).append(" } -> ");
          text.append(call.code()).append(' ').append(call.message());
          text.append(call.response()).append('\n');
        }
      }
    }
    xml.writeStartElement("failure");
    xml.writeAttribute("message", clean(message));
    xml.writeCharacters(clean(text.toString()));
    xml.writeEndElement();
  }

  /** Without what XML can't hold. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .map(
            c ->
                c == '\n'
                        || c == '\t'
                        || (c >= ' ' && c < 0xd800)
                        || (c > 0xdfff && c < 0xfffe)
                        || c > 0xffff
                    ? c
                    : '?')
        .forEach(clean::appendCodePoint);
    return Objects.requireNonNull(clean.toString());
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
  }
}
