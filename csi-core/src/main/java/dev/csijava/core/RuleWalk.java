package dev.csijava.core;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One check under way: what is checked, where it stands, and the worst that was found.
 *
 * <p>INVALID_ARGUMENT wins over every other code, as callers and csi-sanity expect: a call that
 * lacks a field hears so before it hears that its staging path is empty. Among equals the first
 * counts.
 */
final class RuleWalk {
  private static final int WHOLE_FIELD = -1;

  private final CapabilityView capabilities;
  private final Message root;
  private final @Nullable Message request;
  private @Nullable FieldDescriptor[] fields = new @Nullable FieldDescriptor[6];
  private int[] indexes = new int[6];
  private int depth;
  private @Nullable Violation worst;

  /**
   * @param request what {@code root} answers; null when {@code root} is itself a request
   */
  RuleWalk(CapabilityView capabilities, Message root, @Nullable Message request) {
    this.capabilities = capabilities;
    this.root = root;
    this.request = request;
  }

  CapabilityView capabilities() {
    return capabilities;
  }

  Message root() {
    return root;
  }

  @Nullable Message request() {
    return request;
  }

  @Nullable Violation worst() {
    return worst;
  }

  /** Whether the rest of the walk can be saved. */
  boolean settled() {
    return worst != null && worst.rule().settles();
  }

  void enter(FieldDescriptor field) {
    if (depth == indexes.length) {
      fields = Arrays.copyOf(fields, depth * 2);
      indexes = Arrays.copyOf(indexes, depth * 2);
    }
    fields[depth] = field;
    indexes[depth] = WHOLE_FIELD;
    depth++;
  }

  /** Says which element of the field entered last is looked at now. */
  void at(int index) {
    indexes[depth - 1] = index;
  }

  void leave() {
    depth--;
  }

  /** The field that the walk stands at breaks the rule. */
  void broken(Rule rule, String why) {
    brokenAt(rule, "", why);
  }

  /** An element of the list that the walk stands at breaks the rule. */
  void brokenElement(Rule rule, int index, String why) {
    brokenAt(rule, "[" + index + "]", why);
  }

  /** A field below the message that the walk stands at breaks the rule. */
  void brokenBelow(Rule rule, String below, String why) {
    brokenAt(rule, depth == 0 ? below : "." + below, why);
  }

  private void brokenAt(Rule rule, String suffix, String why) {
    if (worst == null || (rule.settles() && !worst.rule().settles())) {
      worst = new Violation(rule, path() + suffix, why);
    }
  }

  private String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      FieldDescriptor field = fields[i];
      if (field == null) {
        continue;
      }
      if (!path.isEmpty()) {
        path.append('.');
      }
      path.append(PublishedName.of(field));
      if (indexes[i] != WHOLE_FIELD) {
        path.append('[').append(indexes[i]).append(']');
      }
    }
    return path.toString();
  }
}
