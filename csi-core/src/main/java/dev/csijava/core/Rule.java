package dev.csijava.core;

import io.grpc.Status;
import java.util.List;

/**
 * One thing that must hold of a message, and the requirements it stands for.
 *
 * @param requirements ids of the requirement inventory that this rule keeps, alone or together with
 *     others of the table
 * @param partOf ids of which the table keeps only a part: the rest is the driver's duty
 * @param code the status when the rule is broken
 * @param description the rule as a phrase, for the documentation; without the field's name
 */
record Rule(List<String> requirements, List<String> partOf, Status.Code code, String description) {

  Rule {
    requirements = List.copyOf(requirements);
    partOf = List.copyOf(partOf);
    if (requirements.isEmpty() && partOf.isEmpty()) {
      throw new IllegalArgumentException("a rule without a requirement: " + description);
    }
  }

  static Rule of(Status.Code code, String description, String... requirements) {
    return new Rule(List.of(requirements), List.of(), code, description);
  }

  /** A rule of answers: a driver that breaks it is at fault, not the caller. */
  static Rule ofAnswer(String description, String... requirements) {
    return of(Status.Code.INTERNAL, description, requirements);
  }

  /** A rule of answers that keeps only a part of the requirements named. */
  static Rule ofAnswerPartly(String description, String... partOf) {
    return ofAnswer(description, partOf).partly();
  }

  /** The same with another status. */
  Rule with(Status.Code other) {
    return new Rule(requirements, partOf, other, description);
  }

  /** The same, but keeping only a part of its requirements. */
  Rule partly() {
    return new Rule(/* requirements= */ List.of(), /* partOf= */ requirements, code, description);
  }

  /** Whether nothing that is found later can change the outcome of the whole check. */
  boolean settles() {
    return code == Status.Code.INVALID_ARGUMENT || code == Status.Code.INTERNAL;
  }

  /** Whether the rule keeps the requirement, or a part of it. */
  boolean names(String id) {
    return requirements.contains(id) || partOf.contains(id);
  }
}
