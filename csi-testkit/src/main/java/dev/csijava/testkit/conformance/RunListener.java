package dev.csijava.testkit.conformance;

/**
 * Told how a run goes on; by several threads, one at a time.
 *
 * @since 0.1.0
 */
public interface RunListener {
  /**
   * The run begins.
   *
   * @param session the driver
   * @param cases how many cases will run
   * @since 0.1.0
   */
  default void started(Session session, int cases) {}

  /**
   * A case has ended.
   *
   * @since 0.1.0
   */
  default void finished(CaseResult result) {}
}
