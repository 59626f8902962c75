package dev.csijava.core;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.Message;
import java.util.List;

/** All rules of one message type, in the order in which they are checked. Immutable. */
final class MessageRules {
  private final FieldPlan[] fields;
  private final MessageRule[] rules;

  MessageRules(List<FieldPlan> fields, List<MessageRule> rules) {
    this.fields = fields.toArray(new FieldPlan[0]);
    this.rules = rules.toArray(new MessageRule[0]);
  }

  boolean isEmpty() {
    return fields.length == 0 && rules.length == 0;
  }

  ImmutableList<FieldPlan> fields() {
    return ImmutableList.copyOf(fields);
  }

  void check(Message message, RuleWalk walk) {
    for (FieldPlan field : fields) {
      if (walk.settled()) {
        return;
      }
      field.check(message, walk);
    }
    for (MessageRule rule : rules) {
      if (walk.settled()) {
        return;
      }
      rule.check().check(message, rule.rule(), walk);
    }
  }
}
