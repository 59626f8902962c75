package dev.csijava.testkit.junit;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.CaseResult;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.ConformanceRun;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.report.Reports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The conformance kit as JUnit tests: extend it, say where the driver is, and every case is a test.
 *
 * <pre>{@code
 * class MyDriverConformanceTest extends CsiConformance {
 *   @Override
 *   protected DriverUnderTest start() {
 *     return DriverUnderTest.at(Settings.forEndpoint("unix:///run/my/csi.sock").build());
 *   }
 * }
 * }</pre>
 *
 * <p>Cases whose capability is not advertised are aborted, which JUnit reports as skipped, with the
 * reason. Cases run in parallel where JUnit is configured so; beside one that looks at everything
 * the driver holds none of this class runs. What a case made is removed at its end.
 *
 * @since 0.1.0
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class CsiConformance {
  private DriverUnderTest driver =
      () -> {
        throw new IllegalStateException("the driver was not started");
      };

  private Optional<Session> session = Optional.empty();
  private final List<CaseResult> results = new ArrayList<>();

  /** Shared by cases that may stand beside others; JUnit keeps no order between factories. */
  private final ReadWriteLock driverLock = new ReentrantReadWriteLock();

  /**
   * For subclasses.
   *
   * @since 0.1.0
   */
  protected CsiConformance() {}

  /**
   * Starts the driver, or names one that runs. Called once, before the first test.
   *
   * @throws Exception if it does not start, which fails the class
   * @since 0.1.0
   */
  protected abstract DriverUnderTest start() throws Exception;

  /**
   * The cases, all of them unless overridden.
   *
   * @since 0.1.0
   */
  protected List<Case> cases() {
    return Catalogue.cases();
  }

  /**
   * Where report.html and junit.xml are written after the last test; nowhere unless overridden.
   *
   * @since 0.1.0
   */
  protected Optional<Path> reportDirectory() {
    return Optional.empty();
  }

  @BeforeAll
  final void connect() throws Exception {
    driver = start();
    if (chosen().isEmpty()) {
      // Else a slip of the pen would look like a driver without a fault.
      throw new IllegalStateException("the settings and cases() leave no case to run");
    }
    session = Optional.of(Session.open(driver.settings()));
  }

  /** One test for each case that may stand beside others. */
  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  final Stream<DynamicTest> requirements() {
    return chosen().stream().filter(tested -> !tested.alone()).map(this::test);
  }

  /** One test for each case that looks at everything that the driver holds. */
  @TestFactory
  final Stream<DynamicTest> requirementsOfTheWholeDriver() {
    return chosen().stream().filter(Case::alone).map(this::test);
  }

  private List<Case> chosen() {
    return ConformanceRun.chosen(driver.settings(), cases());
  }

  private DynamicTest test(Case tested) {
    return DynamicTest.dynamicTest(tested.id() + " " + tested.title(), () -> run(tested));
  }

  private CaseResult result(Case tested) {
    Lock lock = tested.alone() ? driverLock.writeLock() : driverLock.readLock();
    lock.lock();
    try {
      return session.orElseThrow().run(tested);
    } finally {
      lock.unlock();
    }
  }

  private void run(Case tested) {
    CaseResult result = result(tested);
    synchronized (results) {
      results.add(result);
    }
    List<String> wrong = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (RowResult row : result.rows()) {
      if (row.verdict() == Verdict.FAILED) {
        wrong.add(failure(row));
      } else if (row.verdict() == Verdict.SKIPPED) {
        open.add(row.row() + ": " + row.reason());
      }
    }
    result.leftovers().forEach(left -> wrong.add("left behind: " + left));
    if (!wrong.isEmpty()) {
      Assertions.fail(String.join("\n", wrong));
    }
    Assumptions.assumeTrue(result.verdict() == Verdict.PASSED, () -> String.join("; ", open));
  }

  private static String failure(RowResult row) {
    StringBuilder text = new StringBuilder();
    text.append(row.row()).append(": expected ").append(row.expected());
    text.append(", but came ").append(row.came());
    for (CallRecord call : row.calls()) {
      text.append("\n  ").append(call.rpc()).append(" { ").append(call.request()).append(" } -> ");
      text.append(call.code()).append(' ').append(call.message()).append(call.response());
    }
    return text.toString();
  }

  @AfterAll
  final void finish() throws Exception {
    List<String> wrong;
    try {
      wrong = session.isPresent() ? conclude(session.get()) : List.of();
    } finally {
      driver.close();
    }
    if (!wrong.isEmpty()) {
      Assertions.fail(String.join("\n", wrong));
    }
  }

  /** Removes what is left, and reports; what was found wrong with the driver as a whole. */
  private List<String> conclude(Session over) throws IOException {
    try (Session open = over) {
      List<String> wrong = new ArrayList<>(open.removeAll());
      RunReport report = ConformanceRun.report(open, cases(), results);
      report.rows().stream()
          .flatMap(row -> row.results().stream())
          .filter(row -> row.verdict() == Verdict.FAILED && row.caseId().equals("answers"))
          .forEach(row -> wrong.add(failure(row)));
      if (reportDirectory().isPresent()) {
        Reports.writeTo(reportDirectory().get(), report);
      }
      return wrong;
    }
  }
}
