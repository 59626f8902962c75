package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CallRecord;
import dev.csijava.testkit.client.SafeText;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the user's secrets out of what the kit reports: a driver may say them in a refusal, or in
 * an answer to a later call. The kit's own canaries are nobody's secret and may be seen.
 */
final class Discretion {
  private final List<String> secrets = new ArrayList<>();

  Discretion(Settings settings) {
    settings.secrets().values().forEach(ofOneRpc -> secrets.addAll(ofOneRpc.values()));
    secrets.addAll(settings.deniedSecrets().values());
  }

  String of(String text) {
    return secrets.isEmpty() ? text : SafeText.strike(text, secrets);
  }

  List<String> of(List<String> texts) {
    return texts.stream().map(this::of).toList();
  }

  RowResult of(RowResult result) {
    return secrets.isEmpty()
        ? result
        : new RowResult(
            result.row(),
            result.caseId(),
            result.verdict(),
            of(result.reason()),
            of(result.expected()),
            of(result.came()),
            of(result.notes()),
            result.calls().stream().map(this::of).toList());
  }

  private CallRecord of(CallRecord call) {
    return new CallRecord(
        call.rpc(),
        of(call.request()),
        of(call.response()),
        call.code(),
        of(call.message()),
        call.duration());
  }
}
