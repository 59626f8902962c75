package dev.csijava.core.mount;

import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs programs of this system: no shell, standard input at its end, messages in English, both
 * outputs drained, only their beginning kept. The JDK closes every other descriptor in the child.
 *
 * <p>An interrupt does not stop the wait, since a program that is killed half-way leaves half a
 * mount; the deadline does. The interrupt is kept for the caller.
 */
final class SystemPrograms implements ProgramRunner {
  static final int KEPT_OUTPUT_BYTES = 64 * 1024;

  private static final Logger log = LoggerFactory.getLogger(SystemPrograms.class);
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final long PAUSE_MILLIS = 10;

  @Override
  public ProgramResult run(ProgramCommand command, Duration deadline) throws IOException {
    requireExpressible(command);
    long start = System.nanoTime();
    ProcessBuilder builder = new ProcessBuilder(command.arguments());
    builder.environment().put("LC_ALL", "C");
    builder.environment().remove("LANGUAGE");
    Process process = builder.start();
    process.getOutputStream().close();
    OutputDrain stdout = OutputDrain.start(process.getInputStream(), KEPT_OUTPUT_BYTES);
    OutputDrain stderr = OutputDrain.start(process.getErrorStream(), KEPT_OUTPUT_BYTES);
    boolean interrupted = Thread.interrupted();
    try {
      Patience patience = new Patience();
      boolean ended = patience.await(process, deadline);
      boolean dead = ended || kill(process, patience);
      // A daemon that the program left behind may hold the pipe: then what has come is enough.
      patience.await(stdout, GRACE);
      patience.await(stderr, GRACE);
      interrupted |= patience.interrupted;
      ProgramResult result =
          new ProgramResult(
              ended ? process.exitValue() : -1,
              !ended,
              !dead,
              stdout.text(),
              command.redact(stderr.text()));
      if (log.isDebugEnabled()) {
        log.debug(
            "{}: exit {} after {} ms",
            command,
            result.exitCode(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      }
      return result;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Kills it and its children: a helper that the kernel holds in a call may mount even after
   * mount(8) is gone.
   *
   * @return whether all of them have ended
   */
  static boolean kill(Process process, Patience patience) {
    // Children first: once their parent is gone they can't be found any more.
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    return patience.await(process, GRACE) && patience.await(children, GRACE);
  }

  /** The JDK would put question marks where this process's locale has no such character. */
  private static void requireExpressible(ProgramCommand command) throws IOException {
    Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    for (String argument : command.arguments()) {
      if (!names.newEncoder().canEncode(argument)
          || !Charset.defaultCharset().newEncoder().canEncode(argument)) {
        throw new IOException(
            "an argument has characters that this process can't hand to a program;"
                + " start it with LC_ALL=C.UTF-8");
      }
    }
  }

  /** Waits through interrupts and remembers them. */
  static final class Patience {
    private boolean interrupted;

    boolean await(Process process, Duration atMost) {
      return await(left -> process.waitFor(left, TimeUnit.NANOSECONDS), atMost);
    }

    /** Others' children, so that nobody tells when they end. */
    boolean await(List<ProcessHandle> processes, Duration atMost) {
      return await(
          left -> {
            long end = System.nanoTime() + left;
            while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
              if (System.nanoTime() - end >= 0) {
                return false;
              }
              Thread.sleep(PAUSE_MILLIS);
            }
            return true;
          },
          atMost);
    }

    void await(OutputDrain drain, Duration atMost) {
      await(left -> drain.awaitEnd(left), atMost);
    }

    private boolean await(Wait wait, Duration atMost) {
      long end = System.nanoTime() + atMost.toNanos();
      while (true) {
        try {
          return wait.upTo(Math.max(0, end - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
  }

  @FunctionalInterface
  private interface Wait {
    boolean upTo(long nanos) throws InterruptedException;
  }
}
