package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.testkit.conformance.ReplayLife.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The replay engine: every mutating call again, in the same words. */
final class ReplayCases implements CaseGroup {
  private static final int MANY = 10;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-replay-twice",
                "Every mutating call twice: the same answer, nothing doubled",
                c -> replay(c, c, "ENGINE-REPLAY-001", 2),
                rows("ENGINE-REPLAY-001"))
            .runAlone(),
        Case.of(
                "engine-replay-ten-times",
                "Every mutating call ten times over new connections: the same answer",
                c ->
                    replay(
                        c, c.calling(true, c.settings().callTimeout()), "ENGINE-REPLAY-002", MANY),
                rows("ENGINE-REPLAY-002"))
            .runAlone(),
        Case.of(
                "engine-replay-restart",
                "Every mutating call again after a restart: the same answer",
                ReplayCases::overRestart,
                rows("ENGINE-REPLAY-003"))
            .runAlone());
  }

  private static String[] rows(String own) {
    return Stream.concat(Stream.of(own), Stream.of(ReplayLife.ROWS)).toArray(String[]::new);
  }

  private static void replay(CaseContext c, CaseContext caller, String row, int times) {
    Holdings before = Holdings.of(c, row);
    ReplayLife life = new ReplayLife(c);
    for (Step step : life.forth()) {
      repeat(c, caller, row, step, times);
    }
    before.mustHaveAdded(c, row, life.volumes(), life.snapshots());
    for (Step step : life.back()) {
      repeat(c, caller, row, step, times);
    }
    before.mustHaveAdded(c, row, Set.of(), Set.of());
  }

  private static void repeat(CaseContext c, CaseContext caller, String row, Step step, int times) {
    Message first = c.ok(row, () -> step.call().apply(caller));
    for (int i = 1; i < times; i++) {
      Outcome<Message> outcome = Outcome.of(() -> step.call().apply(caller));
      c.check(step.row(), outcome.ok(), "OK", outcome);
      Message again = c.ok(row, outcome);
      boolean same = Stable.of(first).equals(Stable.of(again));
      c.check(row, same, step.what() + " as before: " + first, again);
      c.check(step.row(), same, step.what() + " as before: " + first, again);
    }
  }

  private static void overRestart(CaseContext c) {
    String row = "ENGINE-REPLAY-003";
    try (DriverProcess driver = new DriverProcess(c)) {
      Holdings before = Holdings.of(c, row);
      ReplayLife life = new ReplayLife(c);
      overRestart(c, driver, life.forth());
      before.mustHaveAdded(c, row, life.volumes(), life.snapshots());
      overRestart(c, driver, life.back());
      before.mustHaveAdded(c, row, Set.of(), Set.of());
    }
  }

  private static void overRestart(CaseContext c, DriverProcess driver, List<Step> steps) {
    String row = "ENGINE-REPLAY-003";
    List<Message> answers = new ArrayList<>();
    for (Step step : steps) {
      answers.add(c.prepare(() -> step.call().apply(c)));
    }
    Outcome<?> alive = driver.restart();
    c.check(row, alive.ok(), "a driver that serves again", alive);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Message again = c.ok(row, () -> step.call().apply(c));
      Message before = answers.get(i);
      boolean same = Stable.of(again).equals(Stable.of(before));
      c.check(row, same, step.what() + " as before: " + before, again);
      c.check(step.row(), same, step.what() + " as before: " + before, again);
    }
  }
}
