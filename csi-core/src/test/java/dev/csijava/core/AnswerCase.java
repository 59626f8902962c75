package dev.csijava.core;

import com.google.protobuf.Message;
import java.util.List;

/**
 * An answer that breaks one rule.
 *
 * @param ids the requirements that the rule must name
 * @param path where the sentence must say that it is broken
 */
record AnswerCase(
    List<String> ids, Message request, Message answer, CapabilityView capabilities, String path) {

  static AnswerCase bad(String ids, Message request, Message.Builder answer, String path) {
    return new AnswerCase(List.of(ids.split(" ")), request, answer.build(), Capabilities.ALL, path);
  }

  AnswerCase with(CapabilityView other) {
    return new AnswerCase(ids, request, answer, other, path);
  }

  @Override
  public String toString() {
    return String.join(" ", ids) + " " + answer.getDescriptorForType().getName() + " " + path;
  }
}
