package dev.csijava.benchmarks;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Leaves only warnings of our own log: thousands of calls are nothing for a console. */
final class Quiet {
  // Held, since the JDK forgets the level of a logger that nobody holds.
  private static final Logger OURS = Logger.getLogger("dev.csijava");

  private Quiet() {}

  static void please() {
    OURS.setLevel(Level.WARNING);
  }
}
