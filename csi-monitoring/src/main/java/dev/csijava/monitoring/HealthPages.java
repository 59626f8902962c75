package dev.csijava.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What {@code /healthz} and {@code /readyz} answer. */
final class HealthPages {
  private static final int OK = 200;
  private static final int SERVICE_UNAVAILABLE = 503;

  private HealthPages() {}

  static Page.Answer health(DriverProbe probe) {
    DriverProbe.Answer answer = probe.ask();
    return Page.Answer.text(answer.alive() ? OK : SERVICE_UNAVAILABLE, answer.sentence());
  }

  static Page.Answer readiness(
      DriverProbe probe, Map<String, Supplier<Optional<String>>> conditions) {
    List<String> problems = new ArrayList<>();
    DriverProbe.Answer answer = probe.ask();
    if (!answer.ready()) {
      problems.add(answer.sentence());
    }
    conditions.forEach(
        (name, problem) ->
            problem.get().ifPresent(sentence -> problems.add(name + ": " + sentence)));
    return problems.isEmpty()
        ? Page.Answer.text(OK, "ok")
        : Page.Answer.text(SERVICE_UNAVAILABLE, String.join("\n", problems));
  }
}
