package dev.csijava.testkit.report;

import dev.csijava.testkit.conformance.CaseResult;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunListener;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Verdict;
import java.io.PrintWriter;
import java.util.regex.Pattern;

/**
 * Tells on the console how a run goes on: every failure when it is found, now and then how far the
 * run has come, and at the end the closing line.
 *
 * @since 0.1.0
 */
public final class ConsoleProgress implements RunListener {
  private static final int STEPS = 10;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f&&[^\\n\\t]]");

  private final PrintWriter out;
  private final boolean everyCase;
  private int cases;
  private int done;

  /**
   * Writes there.
   *
   * @param everyCase whether cases that pass or are skipped get a line too
   * @since 0.1.0
   */
  public ConsoleProgress(PrintWriter out, boolean everyCase) {
    this.out = out;
    this.everyCase = everyCase;
  }

  @Override
  public void started(Session session, int cases) {
    this.cases = cases;
    out.println(
        cases
            + " cases against "
            + session.settings().endpoint()
            + ", --seed "
            + session.settings().seed());
    out.flush();
  }

  @Override
  public void finished(CaseResult result) {
    done++;
    if (everyCase || result.verdict() == Verdict.FAILED) {
      out.printf(
          "%-8s %s  %s%n", word(result.verdict()), result.tested().id(), result.tested().title());
    }
    for (RowResult row : result.rows()) {
      if (row.verdict() == Verdict.FAILED) {
        failure(row);
      } else if (everyCase && !row.reason().isEmpty()) {
        line("         " + row.row() + " skipped: " + row.reason());
      }
    }
    result.leftovers().forEach(left -> line("LEFT     " + left));
    if (cases >= STEPS && done * STEPS / cases > (done - 1) * STEPS / cases) {
      out.printf("%d of %d cases%n", done, cases);
    }
    out.flush();
  }

  private void failure(RowResult row) {
    line("         " + row.row() + (row.reason().isEmpty() ? "" : " (" + row.reason() + ")"));
    line("           expected: " + row.expected());
    line("           came:     " + row.came());
    if (!row.calls().isEmpty()) {
      var call = row.calls().get(row.calls().size() - 1);
      line("           call:     " + call.rpc() + " { " + call.request() + " }");
    }
  }

  /** What a driver says is no command to the terminal. */
  private void line(String text) {
    out.println(CONTROL.matcher(text).replaceAll("?"));
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case PASSED -> "passed";
      case FAILED -> "FAILED";
      default -> "skipped";
    };
  }

  /**
   * Prints the end of a run.
   *
   * @since 0.1.0
   */
  public void ended(RunReport report) {
    for (RunReport.Row row : report.rows()) {
      for (RowResult result : row.results()) {
        if (result.verdict() == Verdict.FAILED && result.caseId().equals("answers")) {
          out.println("FAILED   " + row.requirement().id() + "  " + row.requirement().sentence());
          failure(result);
        }
      }
    }
    report.leftovers().forEach(left -> line("left behind: " + left));
    if (!report.broken().isEmpty()) {
      out.println("the run was broken off: " + report.broken());
    }
    if (!report.engineLine().isEmpty()) {
      out.println(report.engineLine());
    }
    out.println(report.closingLine());
    out.flush();
  }
}
