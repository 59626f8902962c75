package dev.csijava.testkit.conformance;

/**
 * What a case does. Everything it makes through the context's stubs is removed afterwards.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CaseBody {
  /**
   * Calls the driver and settles the rows of the case.
   *
   * @throws Exception any, which fails the rows that are not settled
   * @since 0.1.0
   */
  void run(CaseContext context) throws Exception;
}
