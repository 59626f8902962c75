package dev.csijava.examples.lifecycle;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Takes steps one after the other, measures the calls and counts surprises. Prints nothing. */
final class Runner {
  private final Path folder;
  private final Narrator narrator;
  private int calls;
  private int surprises;

  /**
   * @param folder mounts below it are ours
   */
  Runner(Path folder, Narrator narrator) {
    this.folder = folder;
    this.narrator = narrator;
  }

  /**
   * Takes all steps, or those up to a call that fails although it should not: what comes after it
   * would only repeat the surprise.
   *
   * @throws IOException if the mount table can't be read
   */
  Tally run(List<Step> steps) throws IOException {
    int taken = 0;
    for (Step step : steps) {
      taken++;
      if (!take(step)) {
        break;
      }
    }
    Tally tally = new Tally(calls, surprises);
    narrator.end(tally, steps.size() - taken);
    return tally;
  }

  /** Returns whether the story can go on. */
  private boolean take(Step step) throws IOException {
    if (step instanceof Step.Call call) {
      return call(call);
    }
    if (step instanceof Step.Check check) {
      check(check);
    } else if (step instanceof Step.Chapter chapter) {
      narrator.chapter(chapter.title());
    } else if (step instanceof Step.Facts facts) {
      narrator.facts(facts.source().facts());
    } else {
      narrator.mounts(OwnMount.below(folder));
    }
    return true;
  }

  private boolean call(Step.Call call) throws IOException {
    calls++;
    Status.Code code = Status.Code.OK;
    String words;
    long start = System.nanoTime();
    Duration duration;
    try {
      words = call.action().run();
      duration = Duration.ofNanos(System.nanoTime() - start);
    } catch (StatusRuntimeException e) {
      duration = Duration.ofNanos(System.nanoTime() - start);
      code = e.getStatus().getCode();
      String description = e.getStatus().getDescription();
      words = description == null ? "" : description;
    }
    boolean expected = code == call.expected();
    if (!expected) {
      surprises++;
    }
    narrator.call(calls, call, new Outcome(code, duration, words, expected));
    return expected || call.expected() != Status.Code.OK;
  }

  private void check(Step.Check check) {
    boolean holds = false;
    String error = "";
    try {
      holds = check.proof().holds();
    } catch (IOException e) {
      error = e.toString();
    }
    if (!holds) {
      surprises++;
    }
    narrator.check(check.claim(), holds, error);
  }
}
