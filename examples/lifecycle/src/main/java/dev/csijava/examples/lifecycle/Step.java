package dev.csijava.examples.lifecycle;

import io.grpc.Status;
import java.io.IOException;
import java.util.List;

/** One step of the story. What it shows is worked out when its turn comes. */
sealed interface Step {
  /** A heading. */
  record Chapter(String title) implements Step {}

  /**
   * A call, and the status that it should end with.
   *
   * @param rpc as the specification names it
   * @param about what the call is about, for the reader
   * @param action makes the call; says what came of it, or nothing
   */
  record Call(String rpc, String about, Status.Code expected, Action action) implements Step {}

  /** Something that must be true besides what a status tells. */
  record Check(String claim, Proof proof) implements Step {}

  /** Facts to show, worked out here and now. */
  record Facts(Source source) implements Step {}

  /** The mount table, so far as it is ours. */
  record Mounts() implements Step {}

  /** A name and a value, neither of them empty. */
  record Fact(String name, String value) {}

  /** Makes a call. */
  @FunctionalInterface
  interface Action {
    /**
     * Makes the call and waits for its answer.
     *
     * @return a few words on the answer; may be empty
     * @throws io.grpc.StatusRuntimeException if the call did not end with OK
     */
    String run() throws IOException;
  }

  /** Looks whether a claim is true. */
  @FunctionalInterface
  interface Proof {
    boolean holds() throws IOException;
  }

  /** Works out what to show. */
  @FunctionalInterface
  interface Source {
    List<Fact> facts();
  }
}
