package dev.csijava.testkit.cli;

import dev.csijava.testkit.client.StatusText;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.ConformanceRun;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.report.ConsoleProgress;
import dev.csijava.testkit.report.Reports;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the conformance cases. */
@Command(
    name = "check",
    description = "Checks a driver against the CSI specification, requirement by requirement.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  private static final int WRONG_ARGUMENTS = 2;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private CheckOptions options = new CheckOptions();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write report.html and junit.xml there.")
  private @Nullable Path report;

  @Option(names = "--junit-file", description = "Write the JUnit XML to this file.")
  private @Nullable Path junitFile;

  @Option(names = "--verbose", description = "Print every case, not only those that fail.")
  private boolean verbose;

  @Override
  public Integer call() {
    CommandSpec known = java.util.Objects.requireNonNull(spec);
    PrintWriter out = known.commandLine().getOut();
    PrintWriter err = known.commandLine().getErr();
    Settings settings;
    try {
      settings = options.settings();
      makeRoomForReports();
    } catch (IllegalArgumentException e) {
      err.println("csi check: " + e.getMessage());
      err.flush();
      return WRONG_ARGUMENTS;
    }
    try (Session session = Session.open(settings)) {
      ConsoleProgress progress = new ConsoleProgress(out, verbose);
      ConformanceRun run = new ConformanceRun(session, Catalogue.cases(), progress);
      StopHook hook = StopHook.install(err, run::stop, run::unremoved);
      try {
        RunReport result = run.run();
        boolean written = write(result, out, err);
        progress.ended(result);
        if (result.clean() && result.cases().isEmpty()) {
          // Else a slip of the pen would look like a driver without a fault.
          err.println("csi check: --only, --without and --engines leave no case to run");
          err.flush();
          return WRONG_ARGUMENTS;
        }
        return result.clean() && written ? 0 : 1;
      } finally {
        hook.close();
      }
    } catch (StatusRuntimeException e) {
      err.println(
          "csi check: the driver at "
              + settings.endpoint()
              + " can't be asked: "
              + StatusText.of(e.getStatus()));
      err.flush();
      return 1;
    }
  }

  /** Rather before a long run than after it. */
  private void makeRoomForReports() {
    try {
      if (report != null) {
        Files.createDirectories(report);
      }
      if (junitFile != null && junitFile.toAbsolutePath().getParent() != null) {
        Files.createDirectories(junitFile.toAbsolutePath().getParent());
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("no report can be written: " + FileText.of(e), e);
    }
  }

  /** Whether all could be written; if not, what was found is still told on the console. */
  private boolean write(RunReport result, PrintWriter out, PrintWriter err) {
    try {
      if (report != null) {
        Reports.writeTo(report, result);
        out.println("report: " + report.resolve("report.html").toAbsolutePath());
      }
      if (junitFile != null) {
        Reports.writeJunit(junitFile, result);
      }
      return true;
    } catch (IOException e) {
      err.println("csi check: the report can't be written: " + FileText.of(e));
      err.flush();
      return false;
    }
  }
}
