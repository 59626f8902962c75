package dev.csijava.core;

import com.google.protobuf.Message;

/** A rule on several fields of one message, or on an answer seen beside its request. */
record MessageRule(Rule rule, Check check) {

  /** Looks at a message and tells the walk what is wrong with it. Keeps no state. */
  interface Check {
    void check(Message message, Rule rule, RuleWalk walk);
  }

  /** The same for an answer and the request it belongs to. */
  interface AnswerCheck<Q extends Message, A extends Message> {
    void check(Q request, A answer, Rule rule, RuleWalk walk);
  }

  static <M extends Message> MessageRule on(Class<M> type, Rule rule, TypedCheck<M> check) {
    return new MessageRule(
        rule, (message, broken, walk) -> check.check(type.cast(message), broken, walk));
  }

  static <Q extends Message, A extends Message> MessageRule onAnswer(
      Class<Q> requestType, Class<A> answerType, Rule rule, AnswerCheck<Q, A> check) {
    return new MessageRule(
        rule,
        (message, broken, walk) -> {
          if (requestType.isInstance(walk.request())) {
            check.check(requestType.cast(walk.request()), answerType.cast(message), broken, walk);
          }
        });
  }

  /** A check of messages of one class. */
  interface TypedCheck<M extends Message> {
    void check(M message, Rule rule, RuleWalk walk);
  }
}
