package dev.csijava.core;

import com.google.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Checks a request before anything is done for it: fields, sizes, ranges, names and paths, and that
 * it asks for nothing that the driver does not offer. Thread-safe.
 */
final class RequestValidator {
  private final CapabilityView capabilities;

  RequestValidator(CapabilityView capabilities) {
    this.capabilities = capabilities;
  }

  /**
   * @throws CsiException INVALID_ARGUMENT, or another code where the call's own table has one, with
   *     the field's path as the published proto names it; never with a secret
   */
  void check(Message request) {
    Violation violation = find(request);
    if (violation != null) {
      throw new CsiException(violation.rule().code(), violation.sentence());
    }
  }

  @Nullable Violation find(Message request) {
    if (request.getDescriptorForType().getFields().isEmpty()) {
      return null;
    }
    MessageRules rules = RuleTable.requests().rulesOf(request);
    if (rules.isEmpty()) {
      return null;
    }
    RuleWalk walk = new RuleWalk(capabilities, request, null);
    rules.check(request, walk);
    return walk.worst();
  }
}
