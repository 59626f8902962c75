package dev.csijava.testkit.conformance;

import java.time.Duration;
import java.util.List;

/**
 * What a case found.
 *
 * @param tested the case
 * @param rows one result for each of its rows
 * @param leftovers what it could not remove again, one sentence each
 * @param duration how long it took, removal included
 * @since 0.1.0
 */
public record CaseResult(
    Case tested, List<RowResult> rows, List<String> leftovers, Duration duration) {

  /**
   * Failed if a row failed, else passed if a row passed, else skipped.
   *
   * @since 0.1.0
   */
  public Verdict verdict() {
    if (has(Verdict.FAILED)) {
      return Verdict.FAILED;
    }
    return has(Verdict.PASSED) ? Verdict.PASSED : Verdict.SKIPPED;
  }

  private boolean has(Verdict verdict) {
    return rows.stream().anyMatch(row -> row.verdict() == verdict);
  }
}
