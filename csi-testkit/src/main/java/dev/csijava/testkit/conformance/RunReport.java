package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.testkit.requirement.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * What a run found.
 *
 * @param driver name and version of the driver
 * @param endpoint where it was
 * @param advertised what it advertises
 * @param began when the run began
 * @param duration how long it took
 * @param rows every row of the inventory, in order
 * @param beyond every row that the engines look at beyond the inventory, in order
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
    List<Row> beyond,
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
   * @since 0.1.0
   */
  public record Row(
      Requirement requirement, Verdict verdict, String reason, List<RowResult> results) {}

  /**
   * How many rows have this verdict.
   *
   * @since 0.1.0
   */
  public long count(Verdict verdict) {
    return count(rows, verdict);
  }

  private static long count(List<Row> rows, Verdict verdict) {
    return rows.stream().filter(row -> row.verdict() == verdict).count();
  }

  /**
   * Every row, those beyond the inventory last.
   *
   * @since 0.1.0
   */
  public List<Row> everyRow() {
    return Stream.concat(rows.stream(), beyond.stream()).toList();
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
   * The same for what the engines look at beyond the inventory; empty where nothing was looked at.
   *
   * @since 0.1.0
   */
  public String engineLine() {
    return beyond.isEmpty()
        ? ""
        : "beyond the inventory: %d passed, %d failed, %d skipped of %d"
            .formatted(
                count(beyond, Verdict.PASSED),
                count(beyond, Verdict.FAILED),
                count(beyond, Verdict.SKIPPED),
                beyond.size());
  }

  /**
   * Whether nothing failed, nothing stayed behind and the run came to its end.
   *
   * @since 0.1.0
   */
  public boolean clean() {
    return everyRow().stream().noneMatch(row -> row.verdict() == Verdict.FAILED)
        && leftovers.isEmpty()
        && broken.isEmpty();
  }
}
