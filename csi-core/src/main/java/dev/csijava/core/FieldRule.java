package dev.csijava.core;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** A rule on the value of one field. */
record FieldRule(Kind kind, Rule rule, Check check) {

  /** What a rule is about; every text and map field has one of SIZE, every enum one of ENUM. */
  enum Kind {
    REQUIRED,
    SIZE,
    ENUM,
    KEYS,
    VALUE,
    CAPABILITY
  }

  /** Looks at one value and tells the walk what is wrong with it. Keeps no state. */
  interface Check {
    /**
     * Checks one value.
     *
     * @param value a String, Long, Integer, Boolean, EnumValueDescriptor, Message, {@code List} or
     *     {@code Map<String, String>}, as the field is; null for a message that is not set
     */
    void check(@Nullable Object value, Rule rule, RuleWalk walk);
  }

  /** The same with another status. */
  FieldRule with(Status.Code code) {
    return new FieldRule(kind, rule.with(code), check);
  }

  /** The same, but keeping only a part of its requirements. */
  FieldRule partly() {
    return new FieldRule(kind, rule.partly(), check);
  }
}
