package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.testkit.requirement.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;

/**
 * What a run found.
 *
 * @param driver name and version of the driver
 * @param endpoint where it was
 * @param advertised what it advertises
 * @param began when the run began
 * @param duration how long it took
 * @param rows every row of the inventory, in order
 * @param cases every case that ran, in order
 * @param leftovers what could not be removed, one sentence each
 * @param broken why the run did not come to its end; empty if it did
 * @since 0.1.0
 */
public record RunReport(
    GetPluginInfoResponse driver,
    String endpoint,
    SortedSet<String> advertised,
    Instant began,
    Duration duration,
    List<Row> rows,
    List<CaseResult> cases,
    List<String> leftovers,
    String broken) {

  /**
   * What was found about a row by all cases together.
   *
   * @param requirement the row
   * @param verdict failed if one case failed it, else passed if one passed it
   * @param reason why it was skipped or can't be tested
   * @param results what each case found
   */
  public record Row(
      Requirement requirement, Verdict verdict, String reason, List<RowResult> results) {}

  /**
   * How many rows have this verdict.
   *
   * @since 0.1.0
   */
  public long count(Verdict verdict) {
    return rows.stream().filter(row -> row.verdict() == verdict).count();
  }

  /**
   * The line that ends a run.
   *
   * @since 0.1.0
   */
  public String closingLine() {
    return "requirements: %d passed, %d failed, %d skipped, %d untestable of %d"
        .formatted(
            count(Verdict.PASSED),
            count(Verdict.FAILED),
            count(Verdict.SKIPPED),
            count(Verdict.UNTESTABLE),
            rows.size());
  }

  /**
   * Whether nothing failed, nothing stayed behind and the run came to its end.
   *
   * @since 0.1.0
   */
  public boolean clean() {
    return count(Verdict.FAILED) == 0 && leftovers.isEmpty() && broken.isEmpty();
  }
}
