package dev.csijava.testkit.requirement;

/**
 * How far a requirement can be judged by somebody who only talks to the driver.
 *
 * @since 0.1.0
 */
public enum Testability {
  /** By calls, files and mounts that the kit can make by itself. */
  OUTSIDE,
  /** Only with something that the user hands to the kit: a second node, a command, a log file. */
  GIVEN,
  /** Not at all: about documents, packaging, or states that no call can bring about. */
  UNTESTABLE
}
