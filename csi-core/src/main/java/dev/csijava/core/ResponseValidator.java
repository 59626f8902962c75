package dev.csijava.core;

import com.google.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a driver answers, by itself and against its request, before it is sent. A caller
 * keeps what it is told for years: a wrong answer does more harm than none. Thread-safe.
 */
final class ResponseValidator {
  private final CapabilityView capabilities;

  ResponseValidator(CapabilityView capabilities) {
    this.capabilities = capabilities;
  }

  /**
   * @throws CsiException INTERNAL, naming the rule, the requirements behind it and the field
   */
  void check(Message request, Message response) {
    Violation violation = find(request, response);
    if (violation != null) {
      throw refusal(response, violation);
    }
  }

  @Nullable Violation find(Message request, Message response) {
    if (response.getDescriptorForType().getFields().isEmpty()) {
      return null;
    }
    MessageRules rules = RuleTable.answers().rulesOf(response);
    if (rules.isEmpty()) {
      return null;
    }
    RuleWalk walk = new RuleWalk(capabilities, response, request);
    rules.check(response, walk);
    return walk.worst();
  }

  static CsiException refusal(Message response, Violation violation) {
    Rule rule = violation.rule();
    return CsiException.internal(
        "the driver is at fault: its "
            + response.getDescriptorForType().getName()
            + " was not sent, because "
            + violation.sentence()
            + " (the rule: "
            + rule.description()
            + "; requirement "
            + String.join(", ", rule.requirements().isEmpty() ? rule.partOf() : rule.requirements())
            + ")",
        null);
  }
}
