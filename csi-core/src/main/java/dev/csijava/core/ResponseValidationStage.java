package dev.csijava.core;

import com.google.protobuf.Message;
import java.util.function.Consumer;

/**
 * Holds back responses that break a rule: the driver's fault is told to the caller rather than
 * passed on to a cluster that would keep it for years.
 */
final class ResponseValidationStage implements Stage {
  private final ResponseValidator validator;
  private final Stage next;

  ResponseValidationStage(ResponseValidator validator, Stage next) {
    this.validator = validator;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    Consumer<Message> check =
        call.rpc().streams()
            ? new MetadataStreamValidator(validator, call.request())::check
            : response -> validator.check(call.request(), response);
    next.handle(
        call.replyingTo(
            new ForwardingReply(call.reply()) {
              @Override
              public void send(Message response) {
                check.accept(response);
                super.send(response);
              }
            }));
  }
}
