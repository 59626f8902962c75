package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.fake.FakeDriver;
import dev.csijava.testkit.report.ConsoleProgress;
import dev.csijava.testkit.report.Reports;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that gives the user's secrets away does not make the kit do so too. */
class DiscretionTest {
  private static final String SECRET = "correct horse battery";

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void noReportHoldsWhatADriverSaysOfSecrets() throws IOException {
    StringWriter console = new StringWriter();
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver
          .script()
          .on("CreateVolume")
          .every()
          .fail(Status.Code.UNKNOWN, "'" + SECRET + "' does not open the array");
      driver
          .script()
          .on("NodeGetInfo")
          .every()
          .fail(Status.Code.UNKNOWN, "still not with " + SECRET);
      Settings settings =
          Settings.forEndpoint(driver.endpoint())
              .targetDirectory(directory.resolve("targets"))
              .stagingDirectory(directory.resolve("staging"))
              .secrets(Map.of("CreateVolume", Map.of("password", SECRET)))
              .build();
      try (Session session = Session.open(settings)) {
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(console, true), true);
        List<Case> cases =
            Catalogue.cases().stream()
                .filter(one -> one.id().matches("CTRL-CREATE-00.|NODE-INFO-.*"))
                .toList();
        RunReport report = new ConformanceRun(session, cases, progress).run();
        progress.ended(report);
        Reports.writeTo(directory.resolve("report"), report);
      }
    }
    assertThat(console.toString())
        .contains("UNKNOWN: '***' does not open the array", "still not with ***")
        .contains("GEN-ERR-002")
        .doesNotContain(SECRET);
    for (String file : List.of("report.html", "junit.xml")) {
      assertThat(Files.readString(directory.resolve("report").resolve(file)))
          .contains("does not open the array")
          .doesNotContain(SECRET);
    }
  }

  @Test
  void anAnswerIsReportedWithoutThem() {
    Settings settings =
        Settings.forEndpoint("/x.sock").deniedSecrets(Map.of("password", SECRET)).build();
    CallRecord call =
        new CallRecord(
            "CreateVolume",
            "",
            "volume_context { value: \"" + SECRET + "\" }",
            Status.Code.OK,
            "",
            Duration.ZERO);
    RowResult result =
        new RowResult("CTRL-CREATE-001", "x", Verdict.FAILED, "", "", "", List.of(), List.of(call));
    assertThat(new Discretion(settings).of(result).calls())
        .singleElement()
        .extracting(CallRecord::response)
        .isEqualTo("volume_context { value: \"***\" }");
  }
}
