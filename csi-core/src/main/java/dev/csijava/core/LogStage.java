package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Status;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Writes one line a call: id, RPC, code, duration, request, and at DEBUG the response, secrets
 * redacted. Whatever a caller sent, it stays one line of a bounded length. Calls that change
 * something are logged at INFO, those that only read at DEBUG, failures that are the driver's at
 * WARN and the caller's at INFO.
 */
final class LogStage implements Stage {
  /** In characters; a cluster of thousands of nodes names all of them in a CreateVolume. */
  private static final int LONGEST_MESSAGE = 16_384;

  private static final int LINE_SEPARATOR = 0x2028;
  private static final int PARAGRAPH_SEPARATOR = 0x2029;

  private final Logger log;
  private final Stage next;

  LogStage(Logger log, Stage next) {
    this.log = log;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    if (log.isWarnEnabled()) {
      next.handle(call.replyingTo(new Line(call)));
    } else {
      // Nothing is written above WARN: a log that is off costs nothing.
      next.handle(call);
    }
  }

  private final class Line extends ForwardingReply {
    private final Call call;
    private final long start = System.nanoTime();
    private @Nullable Message response;

    Line(Call call) {
      super(call.reply());
      this.call = call;
    }

    @Override
    public void send(Message message) {
      if (log.isDebugEnabled()) {
        response = message;
      }
      super.send(message);
    }

    @Override
    public void end() {
      super.end();
      write(call.rpc().mutates() ? Level.INFO : Level.DEBUG, Status.OK);
    }

    @Override
    public void fail(Throwable failure) {
      super.fail(failure);
      Status status = Status.fromThrowable(failure);
      write(blamesDriver(status.getCode()) ? Level.WARN : Level.INFO, status);
    }

    private void write(Level level, Status status) {
      if (!log.isEnabledForLevel(level)) {
        return;
      }
      double millis = (System.nanoTime() - start) / 1e6;
      StringBuilder line =
          new StringBuilder(256)
              .append("call ")
              .append(call.context().id())
              .append(' ')
              .append(call.rpc().title())
              .append(' ')
              .append(status.getCode())
              .append(String.format(Locale.ROOT, " in %.1f ms", millis))
              .append(call.context().isCancelled() ? ", caller gone" : "");
      if (status.getDescription() != null) {
        line.append(": ").append(onOneLine(status.getDescription()));
      }
      line.append("; request {").append(bounded(Redactor.print(call.request()))).append('}');
      if (response != null) {
        line.append("; response {").append(bounded(Redactor.print(response))).append('}');
      }
      log.atLevel(level).log(line.toString());
    }
  }

  private static String bounded(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE)
            + "... ("
            + message.length()
            + " characters in all)";
  }

  /**
   * A sentence may hold what a caller sent, in an inline volume even what a pod's author wrote: a
   * line break in it would begin a line that looks like another call's.
   */
  private static String onOneLine(String sentence) {
    StringBuilder line = new StringBuilder(sentence.length());
    for (int i = 0; i < sentence.length(); i++) {
      char c = sentence.charAt(i);
      if (Character.isISOControl(c) || c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR) {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  private static boolean blamesDriver(Status.Code code) {
    return switch (code) {
      case UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
      default -> false;
    };
  }
}
