package dev.csijava.core;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The rules of all messages in one direction, addressed by message type and field. A nested message
 * has its rules wherever it occurs. Thread-safe.
 */
final class RuleTable {
  private final FieldRules factory;
  private final Map<FieldDescriptor, List<FieldRule>> fields;
  private final Map<Descriptor, List<MessageRule>> messages;
  private final Map<Descriptor, MessageRules> compiled = new ConcurrentHashMap<>();

  private RuleTable(Builder builder) {
    this.factory = builder.factory;
    this.fields = builder.fields;
    this.messages = builder.messages;
  }

  /** What callers must keep to. */
  static RuleTable requests() {
    return Requests.TABLE;
  }

  /** What drivers must keep to. */
  static RuleTable answers() {
    return Answers.TABLE;
  }

  /** The rules of a message's type. */
  MessageRules rulesOf(Message message) {
    MessageRules rules = compiled.get(message.getDescriptorForType());
    return rules != null ? rules : compile(message.getDefaultInstanceForType());
  }

  private MessageRules compile(Message prototype) {
    List<FieldPlan> plans = new ArrayList<>();
    for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
      List<FieldRule> rules = rulesOf(field);
      MessageRules nested = new MessageRules(List.of(), List.of());
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
        nested =
            rulesOf(
                prototype
                    .newBuilderForType()
                    .newBuilderForField(field)
                    .getDefaultInstanceForType());
      }
      if (!rules.isEmpty() || !nested.isEmpty()) {
        plans.add(new FieldPlan(prototype, field, rules, nested.isEmpty() ? null : nested));
      }
    }
    MessageRules rules =
        new MessageRules(plans, messages.getOrDefault(prototype.getDescriptorForType(), List.of()));
    compiled.put(prototype.getDescriptorForType(), rules);
    return rules;
  }

  /** The rules that are laid down for a field, and those that hold for every field of its type. */
  private List<FieldRule> rulesOf(FieldDescriptor field) {
    List<FieldRule> rules = new ArrayList<>(fields.getOrDefault(field, List.of()));
    for (FieldRule general : factory.generalRules(field)) {
      if (rules.stream().noneMatch(rule -> rule.kind() == general.kind())) {
        rules.add(general);
      }
    }
    return rules;
  }

  /** Shows each rule with the message or field that it is laid on; empty for the general ones. */
  void forEach(BiConsumer<String, Rule> action) {
    fields.forEach(
        (field, rules) -> {
          String place = name(field.getContainingType()) + "." + PublishedName.of(field);
          rules.forEach(rule -> action.accept(place, rule.rule()));
        });
    messages.forEach(
        (message, rules) -> rules.forEach(rule -> action.accept(name(message), rule.rule())));
    factory.generalRules().forEach(rule -> action.accept("", rule.rule()));
  }

  private static String name(Descriptor message) {
    return message.getFullName().substring(message.getFile().getPackage().length() + 1);
  }

  /** Collects the rules of one direction. */
  static final class Builder {
    private final FieldRules factory;
    private final Map<FieldDescriptor, List<FieldRule>> fields = new LinkedHashMap<>();
    private final Map<Descriptor, List<MessageRule>> messages = new LinkedHashMap<>();

    Builder(FieldRules factory) {
      this.factory = factory;
    }

    FieldRules rules() {
      return factory;
    }

    On on(Descriptor message) {
      return new On(message);
    }

    RuleTable build() {
      return new RuleTable(this);
    }

    /** Takes the rules of one message type. */
    final class On {
      private final Descriptor message;

      private On(Descriptor message) {
        this.message = message;
      }

      /** Adds rules to a field, called as the published proto calls it. */
      On field(String publishedName, FieldRule... rules) {
        fields
            .computeIfAbsent(PublishedName.find(message, publishedName), field -> new ArrayList<>())
            .addAll(ImmutableList.copyOf(rules));
        return this;
      }

      On message(MessageRule rule) {
        messages.computeIfAbsent(message, type -> new ArrayList<>()).add(rule);
        return this;
      }
    }
  }

  private static final class Requests {
    private static final RuleTable TABLE = build();

    private static RuleTable build() {
      Builder table = new Builder(FieldRules.ofRequests());
      CommonRules.requests(table);
      ControllerRules.add(table);
      NodeRules.requests(table);
      GroupRules.requests(table);
      MetadataRules.requests(table);
      return table.build();
    }
  }

  private static final class Answers {
    private static final RuleTable TABLE = build();

    private static RuleTable build() {
      Builder table = new Builder(FieldRules.ofAnswers());
      CommonRules.answers(table);
      IdentityRules.answers(table);
      ControllerAnswerRules.add(table);
      SnapshotAnswerRules.add(table);
      HealthAnswerRules.add(table);
      NodeRules.answers(table);
      GroupRules.answers(table);
      MetadataRules.answers(table);
      return table.build();
    }
  }
}
