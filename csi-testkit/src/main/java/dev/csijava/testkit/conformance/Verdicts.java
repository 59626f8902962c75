package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.requirement.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Collects what a case finds about its rows. The first failure of a row stays. */
final class Verdicts {
  private final Case tested;
  private final Supplier<List<CallRecord>> calls;
  private final Map<String, RowResult> settled = new LinkedHashMap<>();
  private final Map<String, Set<String>> notes = new LinkedHashMap<>();

  Verdicts(Case tested, Supplier<List<CallRecord>> calls) {
    this.tested = tested;
    this.calls = calls;
  }

  synchronized void passed(String row) {
    settle(row, Verdict.PASSED, "", "", "");
  }

  synchronized void failed(String row, String reason, String expected, String came) {
    settle(row, Verdict.FAILED, reason, expected, came);
  }

  synchronized void skipped(String row, String reason) {
    settle(row, Verdict.SKIPPED, reason, "", "");
  }

  synchronized void note(String row, String note) {
    notes.computeIfAbsent(row, r -> new TreeSet<>()).add(note);
  }

  synchronized boolean applies(String row) {
    RowResult known = settled.get(row);
    return known == null || known.verdict() != Verdict.SKIPPED;
  }

  private void settle(String row, Verdict verdict, String reason, String expected, String came) {
    if (tested.rows().stream().noneMatch(r -> r.id().equals(row))) {
      throw new IllegalArgumentException(tested.id() + " does not name the row " + row);
    }
    RowResult known = settled.get(row);
    if (known != null && (known.verdict() != Verdict.PASSED || verdict != Verdict.FAILED)) {
      return;
    }
    List<CallRecord> led = verdict == Verdict.FAILED ? calls.get() : List.of();
    settled.put(
        row, new RowResult(row, tested.id(), verdict, reason, expected, came, List.of(), led));
  }

  /** Settles the rows that are still open. */
  synchronized void finish(Verdict verdict, String reason, String expected, String came) {
    for (Requirement row : tested.rows()) {
      if (!settled.containsKey(row.id())) {
        settle(row.id(), verdict, reason, expected, came);
      }
    }
  }

  synchronized List<RowResult> results() {
    List<RowResult> results = new ArrayList<>();
    for (Requirement row : tested.rows()) {
      RowResult found = settled.get(row.id());
      if (found != null) {
        List<String> said = List.copyOf(notes.getOrDefault(row.id(), Set.of()));
        results.add(
            new RowResult(
                found.row(),
                found.caseId(),
                found.verdict(),
                found.reason(),
                found.expected(),
                found.came(),
                said,
                found.calls()));
      }
    }
    return results;
  }
}
