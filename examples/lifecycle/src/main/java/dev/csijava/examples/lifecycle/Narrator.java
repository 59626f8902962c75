package dev.csijava.examples.lifecycle;

import java.util.List;

/** Is told what happens, while it happens. */
interface Narrator {
  void chapter(String title);

  /**
   * A call has ended.
   *
   * @param number counts the calls, from 1
   */
  void call(int number, Step.Call call, Outcome outcome);

  /**
   * A claim was looked at.
   *
   * @param error why it could not be; empty if it could
   */
  void check(String claim, boolean holds, String error);

  void facts(List<Step.Fact> facts);

  /** The mounts that are ours, in the kernel's order. */
  void mounts(List<OwnMount> mounts);

  /**
   * It is over.
   *
   * @param leftOut the steps that could not be taken after a surprise
   */
  void end(Tally tally, int leftOut);
}
