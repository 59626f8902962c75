package dev.csijava.core;

import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;

/**
 * Asks Probe until its answer is the one that is due. It answers within a second whatever happens,
 * so on a machine that stalls the answer before, or "not ready", may come first.
 */
final class Probes {
  private static final long SECONDS = 60;

  private Probes() {}

  /** How often it had to be asked. */
  static int awaitReady(Channel channel) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (int asked = 1; System.nanoTime() < end; asked++) {
      if (isReady(channel)) {
        return asked;
      }
    }
    throw new AssertionError("the driver does not get ready");
  }

  static StatusRuntimeException awaitFailure(Channel channel) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      try {
        boolean unused = isReady(channel);
      } catch (StatusRuntimeException failure) {
        return failure;
      }
    }
    throw new AssertionError("Probe does not fail");
  }

  private static boolean isReady(Channel channel) {
    return IdentityGrpc.newBlockingStub(channel)
        .withDeadlineAfter(10, TimeUnit.SECONDS)
        .probe(ProbeRequest.getDefaultInstance())
        .getReady()
        .getValue();
  }
}
