package dev.csijava.testkit.conformance;

import java.util.List;

/**
 * The cases of one subject, usually one RPC.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CaseGroup {
  /**
   * The cases, in the order in which they are best read.
   *
   * @since 0.1.0
   */
  List<Case> cases();
}
