package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.Topology;
import dev.csijava.testkit.client.CallObserver;
import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.client.DriverCapabilities;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Looks at every answer of a run, whatever case it belongs to: some rows are about all of them. */
final class AnswerWatch implements CallObserver {
  private static final int CALLS_KEPT = 5;

  private final Map<String, Integer> seen = new LinkedHashMap<>();
  private final Map<String, Violations> broken = new LinkedHashMap<>();

  private final Set<String> prefixes = new TreeSet<>();
  private final boolean topologyAdvertised;

  AnswerWatch(DriverCapabilities driver) {
    topologyAdvertised = driver.has("plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS");
  }

  private record Violations(String expected, String came, List<CallRecord> calls) {}

  @Override
  public void ended(
      CallRecord call, Message request, List<Message> responses, Status status, Metadata trailers) {
    AnswerRules.look(
        request,
        responses,
        status,
        trailers,
        (row, holds, expected, came) -> settle(row, holds, expected, came, call));
    topology(AnswerRules.topologiesIn(responses), call);
  }

  /**
   * What only the answers together show: the prefix of keys, and whether topology is advertised.
   */
  private synchronized void topology(List<Topology> found, CallRecord call) {
    for (Topology topology : found) {
      for (String row : List.of("GEN-TOPO-009", "IDENT-CAPS-006")) {
        settle(
            row,
            topologyAdvertised,
            "topology only with VOLUME_ACCESSIBILITY_CONSTRAINTS",
            topology.toString(),
            call);
      }
      for (String key : topology.getSegmentsMap().keySet()) {
        if (key.indexOf('/') >= 0) {
          prefixes.add(key.substring(0, key.indexOf('/')));
        }
        settle("GEN-TOPO-005", prefixes.size() <= 1, "one prefix", prefixes.toString(), call);
      }
    }
  }

  private synchronized void settle(
      String row, boolean holds, String expected, String came, CallRecord call) {
    seen.merge(row, 1, Integer::sum);
    if (!holds) {
      Violations known =
          broken.computeIfAbsent(row, r -> new Violations(expected, came, new ArrayList<>()));
      if (known.calls().size() < CALLS_KEPT) {
        known.calls().add(call);
      }
    }
  }

  /** One result for each row that an answer was looked at for. */
  synchronized List<RowResult> results() {
    List<RowResult> results = new ArrayList<>();
    seen.forEach(
        (row, count) -> {
          Violations violations = broken.get(row);
          List<String> notes = List.of("seen in " + count + " answers");
          results.add(
              violations == null
                  ? new RowResult(row, "answers", Verdict.PASSED, "", "", "", notes, List.of())
                  : new RowResult(
                      row,
                      "answers",
                      Verdict.FAILED,
                      "in the answers of all cases",
                      violations.expected(),
                      violations.came(),
                      notes,
                      List.copyOf(violations.calls())));
        });
    return results;
  }
}
