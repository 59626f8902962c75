package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CallRecord;
import java.util.List;

/**
 * What one case found about one row.
 *
 * @param row the id of the row
 * @param caseId the case that found it
 * @param verdict what it found
 * @param reason why it was skipped; after a failure, what the case was doing if that needs saying
 * @param expected what should have come, after a failure
 * @param came what came instead, after a failure
 * @param notes which reading of an ambiguous row was seen, and the like
 * @param calls the calls that led to a failure, the last one last; else empty
 * @since 0.1.0
 */
public record RowResult(
    String row,
    String caseId,
    Verdict verdict,
    String reason,
    String expected,
    String came,
    List<String> notes,
    List<CallRecord> calls) {

  static RowResult skipped(String row, String caseId, String reason) {
    return new RowResult(row, caseId, Verdict.SKIPPED, reason, "", "", List.of(), List.of());
  }

  static RowResult untestable(String row, String reason) {
    return new RowResult(row, "", Verdict.UNTESTABLE, reason, "", "", List.of(), List.of());
  }
}
