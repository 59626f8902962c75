package dev.csijava.core.mount;

import java.io.IOException;
import java.time.Duration;

/** Runs a program to its end. The seam at which tests let mount(8) lie, fail and hang. */
@FunctionalInterface
interface ProgramRunner {
  /**
   * Blocks until the program has ended or was killed at its deadline.
   *
   * @throws IOException if it could not be started
   */
  ProgramResult run(ProgramCommand command, Duration deadline) throws IOException;
}
