package dev.csijava.core;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;

/**
 * Turns every failure into a status with a code that does no harm and a sentence for people.
 *
 * <p>What a handler throws on purpose is passed on. What it throws by accident becomes INTERNAL in
 * a call that only reads; in a call that changes something it becomes UNAVAILABLE, because callers
 * take INTERNAL as final and would forget a volume that may have been made (rule K8). The sentence
 * then names the call's id, under which the log has the stack trace.
 */
final class ErrorStage implements Stage {
  /** Statuses travel in HTTP/2 headers, all of which callers bound at 8 KiB together. */
  private static final int LONGEST_SENTENCE_BYTES = 6000;

  private final Logger log;
  private final Stage next;

  ErrorStage(Logger log, Stage next) {
    this.log = log;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    Reply mapped =
        new ForwardingReply(call.reply()) {
          @Override
          public void fail(Throwable failure) {
            super.fail(map(call, failure).asRuntimeException());
          }
        };
    try {
      next.handle(call.replyingTo(mapped));
    } catch (Throwable failure) {
      mapped.fail(failure);
    }
  }

  private Status map(Call call, Throwable failure) {
    Status status = statusOf(call, failure);
    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED && leavesCallerUncertain(call.rpc())) {
      log.warn(
          "call {} {}: RESOURCE_EXHAUSTED would leave the caller uncertain for ever; it gets"
              + " INTERNAL",
          call.context().id(),
          call.rpc().title());
      status = Status.INTERNAL.withDescription(status.getDescription());
    }
    // Struck before it is cut: half a secret would not be found any more.
    String sentence = cut(Redactor.strike(sentence(status), call.request()));
    return Status.fromCode(status.getCode()).withDescription(sentence);
  }

  private Status statusOf(Call call, Throwable failure) {
    if (failure instanceof CsiException csi) {
      if (csi.getCause() != null) {
        log.warn(
            "call {} {} failed for this reason",
            call.context().id(),
            call.rpc().title(),
            Redactor.strike(csi.getCause(), call.request()));
      }
      return Status.fromCode(csi.code()).withDescription(csi.getMessage());
    }
    // A thrown OK is an accident as well: it must not end a call as if it had been done.
    if (failure instanceof StatusRuntimeException status && !status.getStatus().isOk()) {
      return status.getStatus();
    }
    if (failure instanceof StatusException status && !status.getStatus().isOk()) {
      return status.getStatus();
    }
    log.error(
        "call {} {} failed unexpectedly",
        call.context().id(),
        call.rpc().title(),
        Redactor.strike(failure, call.request()));
    String sentence =
        "the driver failed unexpectedly; its log has the reason under call " + call.context().id();
    return call.rpc().mutates()
        ? Status.UNAVAILABLE.withDescription(sentence + ". Repeat the call")
        : Status.INTERNAL.withDescription(sentence);
  }

  private static String sentence(Status status) {
    String description = status.getDescription();
    if (description == null || description.isBlank()) {
      return "the driver refused the call with " + status.getCode() + " and gave no reason";
    }
    return description;
  }

  /** Never within a character. */
  private static String cut(String sentence) {
    int bytes = 0;
    for (int at = 0; at < sentence.length(); ) {
      int character = sentence.codePointAt(at);
      bytes += encodedBytes(character);
      if (bytes > LONGEST_SENTENCE_BYTES) {
        return sentence.substring(0, at) + "...";
      }
      at += Character.charCount(character);
    }
    return sentence;
  }

  /** A byte that is no printable ASCII travels as a percent sign and two digits. */
  private static int encodedBytes(int character) {
    if (character < 0x80) {
      return character >= ' ' && character < 0x7f && character != '%' ? 1 : 3;
    }
    return 3 * (character < 0x800 ? 2 : character < 0x10000 ? 3 : 4);
  }

  /** Calls after which kubelet or the resizer never settle on RESOURCE_EXHAUSTED. */
  private static boolean leavesCallerUncertain(Rpc rpc) {
    return switch (rpc) {
      case NODE_STAGE_VOLUME, NODE_PUBLISH_VOLUME, NODE_EXPAND_VOLUME, CONTROLLER_EXPAND_VOLUME ->
          true;
      default -> false;
    };
  }
}
