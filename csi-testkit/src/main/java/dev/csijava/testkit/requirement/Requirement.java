package dev.csijava.testkit.requirement;

import java.util.List;

/**
 * One row of the inventory of what the CSI specification asks of a driver.
 *
 * @param id for example {@code CTRL-CREATE-002}
 * @param service the service, or {@code General}
 * @param rpc the RPC, or a subject in parentheses
 * @param level MUST, SHOULD or MAY
 * @param capability what must be advertised for the row to apply, or {@code -}
 * @param condition when the row applies
 * @param behaviour what the driver then does
 * @param codes the gRPC codes that are right, by their names; {@code non-OK} for any refusal; empty
 *     where the row is not tied to a status
 * @param testability whether it can be judged from outside
 * @param reason what is needed, or why it can't be judged; empty for {@link Testability#OUTSIDE}
 * @since 0.1.0
 */
public record Requirement(
    String id,
    String service,
    String rpc,
    String level,
    String capability,
    String condition,
    String behaviour,
    List<String> codes,
    Testability testability,
    String reason) {

  /**
   * The row as a sentence: subject, condition and behaviour.
   *
   * @since 0.1.0
   */
  public String sentence() {
    return rpc + ": " + condition + ": " + behaviour;
  }

  /**
   * Whether the row leaves the answer open between several codes.
   *
   * @since 0.1.0
   */
  public boolean ambiguous() {
    return codes.size() > 1;
  }
}
