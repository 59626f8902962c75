package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import java.util.List;

/** Probe. */
final class ProbeCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("IDENT-PROBE-001", c -> c.ok(() -> probe(c))),
        Case.of(
            "IDENT-PROBE-005",
            c -> {
              // A driver that stalls for a moment may say for that moment that it is not ready.
              ProbeResponse answer =
                  Patience.times(
                      IdentityCallerCases.FAILURES, () -> c.ok(() -> probe(c)), ProbeCases::ready);
              c.check(ready(answer), "ready", answer);
            }),
        Case.of(
            "IDENT-PROBE-006",
            c -> {
              for (int i = 0; i < c.settings().repetitions(); i++) {
                c.ok(() -> probe(c));
              }
            }));
  }

  private static boolean ready(ProbeResponse answer) {
    return !answer.hasReady() || answer.getReady().getValue();
  }

  private static ProbeResponse probe(CaseContext c) {
    return c.identity().probe(ProbeRequest.getDefaultInstance());
  }
}
