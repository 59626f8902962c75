package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import io.grpc.Attributes;
import io.grpc.Status;
import java.lang.management.ManagementFactory;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogStageTest {
  private static final int ROUNDS = 10_000;

  @Test
  void aLogThatIsOffAllocatesNothing() {
    assertThat(bytesOfACall(Level.OFF)).isZero();
  }

  /** A failure would have to be logged: the stage's own small objects, and nothing per message. */
  @Test
  void aCallBelowTheLevelAllocatesNoTextHoweverLargeTheMessages() {
    assertThat(bytesOfACall(Level.WARNING)).isLessThanOrEqualTo(96);
  }

  /**
   * What a pod's author writes may come back in a sentence, and must not look like another call.
   */
  @Test
  void aSentenceWithLineBreaksStaysOnItsLine() {
    String line =
        lineOf(
            ValidRequests.create().build(),
            CsiException.invalidArgument(
                "no kind a\nINFO call 1 DeleteVolume OK\u2028\u0085x\u00fc"));
    assertThat(line).contains("no kind a\\u000aINFO call 1 DeleteVolume OK\\u2028\\u0085x\u00fc;");
    assertThat(line).doesNotContain("\n", "\u2028", "\u0085");
  }

  @Test
  void aRequestThatIsVeryLargeIsCut() {
    CreateVolumeRequest.Builder request = ValidRequests.create();
    for (int i = 0; i < 5000; i++) {
      request
          .getAccessibilityRequirementsBuilder()
          .addRequisite(ValidRequests.topology("node-" + i));
    }
    assertThat(lineOf(request.build(), CsiException.aborted("busy")))
        .hasSizeLessThan(17_000)
        .contains("busy", "... (")
        .endsWith(" characters in all)}");
  }

  private static String lineOf(Message request, CsiException failure) {
    try (LogCapture log = LogCapture.at("log-stage-lines", Level.INFO)) {
      LogStage stage =
          new LogStage(
              LoggerFactory.getLogger("log-stage-lines"),
              call ->
                  call.reply()
                      .fail(
                          Status.fromCode(failure.code())
                              .withDescription(failure.getMessage())
                              .asRuntimeException()));
      stage.handle(
          new Call(
              Rpc.CREATE_VOLUME,
              request,
              new ServerCallContext(Rpc.CREATE_VOLUME, null, Attributes.EMPTY),
              new NoReply() {
                @Override
                public void fail(Throwable ignored) {}
              }));
      return log.messages().get(0);
    }
  }

  private static long bytesOfACall(Level level) {
    // Kept here: loggers without a strong reference lose their level.
    Logger logger = Logger.getLogger("log-stage-test");
    logger.setLevel(level);
    Stage answer =
        call -> {
          call.reply().send(CreateVolumeResponse.getDefaultInstance());
          call.reply().end();
        };
    LogStage stage = new LogStage(LoggerFactory.getLogger(logger.getName()), answer);
    Call call =
        new Call(
            Rpc.CREATE_VOLUME,
            ValidRequests.create().putParameters("k", "x".repeat(3000)).build(),
            new ServerCallContext(Rpc.CREATE_VOLUME, null, Attributes.EMPTY),
            new NoReply());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    run(stage, call);
    long before = threads.getCurrentThreadAllocatedBytes();
    run(stage, call);
    long perCall = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
    assertThat(logger.getLevel()).isEqualTo(level);
    return perCall;
  }

  private static void run(Stage stage, Call call) {
    for (int i = 0; i < ROUNDS; i++) {
      stage.handle(call);
    }
  }
}
