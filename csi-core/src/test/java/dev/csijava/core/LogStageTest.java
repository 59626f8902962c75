package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import dev.csijava.spec.v1.CreateVolumeResponse;
import io.grpc.Attributes;
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
            new Nowhere());
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

  private static final class Nowhere implements Reply {
    @Override
    public void send(Message response) {}

    @Override
    public void end() {}

    @Override
    public void fail(Throwable failure) {
      throw new AssertionError(failure);
    }
  }
}
