package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ProbeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The driver's process, as far as the user said how to end it and how to start it again. A case
 * that breaks off between the two still starts it: what was made can't be removed without the
 * driver.
 */
final class DriverProcess implements AutoCloseable {
  private final CaseContext context;
  private final Settings settings;
  private boolean down;

  /** Ends the case if the user gave no way to start the driver again. */
  DriverProcess(CaseContext context) {
    this.context = context;
    this.settings = context.settings();
    context.need(settings.restartCommand().isPresent(), "--restart-command is not given");
  }

  /** Ends it with kill -9 at once, if the user said how; else that is left to {@link #restart}. */
  void kill() {
    if (settings.killCommand().isPresent()) {
      down = true;
      run(settings.killCommand().get());
    } else if (settings.pidFile().isPresent()) {
      long pid = pid(settings.pidFile().get());
      down = true;
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private long pid(Path file) {
    long pid;
    try {
      pid = Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED, "--pid-file " + file + " holds no process id");
    }
    // In a container the driver is often process 1; here that is somebody else.
    context.need(
        pid > 1 && !runsHere(pid),
        "--pid-file " + file + " names process " + pid + ", which can't be the driver's");
    return pid;
  }

  /** Whether it is this process or one that started it. */
  private static boolean runsHere(long pid) {
    Optional<ProcessHandle> one = Optional.of(ProcessHandle.current());
    while (one.isPresent()) {
      if (one.get().pid() == pid) {
        return true;
      }
      one = one.get().parent();
    }
    return false;
  }

  /** Starts it again, and waits until it serves. */
  Outcome<?> restart() {
    run(settings.restartCommand().orElseThrow());
    down = false;
    CaseContext patient = context.calling(true, settings.callTimeout());
    return Patience.until(
        settings.callTimeout(),
        () -> Outcome.of(() -> patient.identity().probe(ProbeRequest.getDefaultInstance())),
        Outcome::ok);
  }

  /** Starts the driver if it was left killed; not waited for. */
  @Override
  public void close() {
    if (down) {
      run(settings.restartCommand().orElseThrow());
      down = false;
    }
  }

  /** Not to be interrupted: half a restart would leave no driver. */
  private void run(List<String> command) {
    try {
      // The driver may inherit the streams of the command that starts it: nobody waits for their
      // end.
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      boolean ended = awaitEnd(process);
      if (!ended) {
        process.destroyForcibly();
      }
      context.need(ended, command.get(0) + " does not end");
      context.need(process.exitValue() == 0, command.get(0) + " ends with " + process.exitValue());
    } catch (IOException e) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED, command.get(0) + " can't be run: " + e.getMessage());
    }
  }

  private boolean awaitEnd(Process process) {
    long end = System.nanoTime() + settings.commandTimeout().toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
