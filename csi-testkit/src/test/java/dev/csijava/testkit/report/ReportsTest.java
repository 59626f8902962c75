package dev.csijava.testkit.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.CaseResult;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.requirement.Requirement;
import dev.csijava.testkit.requirement.RequirementInventory;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ReportsTest {
  private static final String HOSTILE = "</script><b>&\"'\u0000\u0007\ud800";

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void junitXmlHoldsEveryRow() throws Exception {
    Reports.writeTo(directory, report());
    Document xml =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(Files.readAllBytes(directory.resolve("junit.xml"))));
    Element suite = xml.getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("558");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(558);
    assertThat(suite.getElementsByTagName("skipped").getLength()).isEqualTo(556);
    Element failure = (Element) suite.getElementsByTagName("failure").item(0);
    assertThat(failure.getTextContent()).contains("CreateVolume { name: \"x\" } -> OK");
  }

  @Test
  void thePageLoadsNothingAndShowsFailuresFirst() {
    String page = HtmlPage.of(report());
    assertThat(page).doesNotContain("http://", "https://", "src=", "@import", "url(");
    assertThat(page).contains("default-src 'none'");
    assertThat(page.indexOf("id=\"failure-CTRL-CREATE-002\""))
        .isPositive()
        .isLessThan(page.indexOf("class=\"grid\""))
        .isLessThan(page.indexOf("id=\"GEN-RPC-001\""));
    for (Requirement row : RequirementInventory.shipped().rows()) {
      assertThat(page).contains("href=\"#" + row.id() + "\"").contains("id=\"" + row.id() + "\"");
    }
  }

  @Test
  void whatADriverSaysIsTextOnThePage() {
    String page = HtmlPage.of(report());
    assertThat(page).doesNotContain(HOSTILE).doesNotContain("</script><b>");
    assertThat(page).contains("&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;");
    assertThat(page.getBytes(StandardCharsets.UTF_8)).doesNotContain((byte) 0, (byte) 7);
  }

  /** Else a driver could hide its failures from who looks at a terminal. */
  @Test
  void whatADriverSaysIsNoCommandToTheTerminal() {
    StringWriter console = new StringWriter();
    ConsoleProgress progress = new ConsoleProgress(new PrintWriter(console, true), false);
    RunReport.Row row =
        failed(
            RequirementInventory.anyRow("CTRL-CREATE-002"), "\u001b[2Jnothing\u009b1A\rto see\n");
    CaseResult result =
        new CaseResult(
            Case.of("CTRL-CREATE-002", c -> {}),
            row.results(),
            List.of("volume \u001b[8m"),
            Duration.ZERO);
    progress.finished(result);
    assertThat(console.toString())
        .contains("came:     ?[2Jnothing?1A?to see\n", "volume ?[8m")
        .doesNotContain("\u001b", "\u009b", "\r");
  }

  @Test
  void junitXmlHasWhatMakesARunNotCleanBesideItsRows() throws Exception {
    RunReport whole = report();
    RunReport broken =
        new RunReport(
            whole.driver(),
            whole.endpoint(),
            whole.advertised(),
            whole.began(),
            whole.duration(),
            whole.rows(),
            whole.beyond(),
            whole.cases(),
            List.of("volume 7 could not be removed"),
            "told to " + HOSTILE);
    Path file = directory.resolve("one.xml");
    Reports.writeJunit(file, broken);
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("560");
    assertThat(suite.getAttribute("errors")).isEqualTo("2");
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(560);
    assertThat(suite.getElementsByTagName("error").getLength()).isEqualTo(2);
    assertThat(((Element) suite.getElementsByTagName("error").item(1)).getAttribute("message"))
        .isEqualTo("left behind: volume 7 could not be removed");
  }

  static RunReport report() {
    List<RunReport.Row> rows = new ArrayList<>();
    for (Requirement row : RequirementInventory.shipped().rows()) {
      switch (row.id()) {
        case "CTRL-CREATE-001" -> rows.add(new RunReport.Row(row, Verdict.PASSED, "", List.of()));
        case "CTRL-CREATE-002" -> rows.add(failed(row));
        default -> rows.add(new RunReport.Row(row, Verdict.SKIPPED, HOSTILE, List.of()));
      }
    }
    return new RunReport(
        GetPluginInfoResponse.newBuilder().setName(clean()).setVendorVersion("1").build(),
        "unix:///run/x.sock",
        new TreeSet<>(List.of("ctrl:CREATE_DELETE_VOLUME")),
        Instant.EPOCH,
        Duration.ofSeconds(2),
        rows,
        List.of(),
        List.of(),
        List.of(),
        "");
  }

  private static String clean() {
    return "<b>name";
  }

  private static RunReport.Row failed(Requirement row) {
    return failed(row, HOSTILE);
  }

  private static RunReport.Row failed(Requirement row, String came) {
    CallRecord call =
        new CallRecord("CreateVolume", "name: \"x\"", "", Status.Code.OK, "", Duration.ZERO);
    RowResult result =
        new RowResult(
            row.id(),
            row.id(),
            Verdict.FAILED,
            "",
            "INVALID_ARGUMENT",
            came,
            List.of(),
            List.of(call));
    return new RunReport.Row(row, Verdict.FAILED, "", List.of(result));
  }
}
