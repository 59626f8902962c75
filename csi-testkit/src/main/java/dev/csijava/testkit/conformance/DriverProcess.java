package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ProbeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The driver's process, as far as the user said how to end it and how to start it again. */
final class DriverProcess {
  private final CaseContext context;
  private final Settings settings;

  /** Ends the case if the user gave no way to start the driver again. */
  DriverProcess(CaseContext context) {
    this.context = context;
    this.settings = context.settings();
    context.need(settings.restartCommand().isPresent(), "--restart-command is not given");
  }

  /** Ends it with kill -9 at once, if the user said how; else that is left to {@link #restart}. */
  void kill() {
    if (settings.killCommand().isPresent()) {
      run(settings.killCommand().get());
    } else if (settings.pidFile().isPresent()) {
      long pid = pid(settings.pidFile().get());
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private long pid(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED, "--pid-file " + file + " holds no process id");
    }
  }

  /** Starts it again, and waits until it serves. */
  Outcome<?> restart() {
    run(settings.restartCommand().orElseThrow());
    CaseContext patient = context.calling(true, settings.callTimeout());
    return Patience.until(
        settings.callTimeout(),
        () -> Outcome.of(() -> patient.identity().probe(ProbeRequest.getDefaultInstance())),
        Outcome::ok);
  }

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
      boolean ended = process.waitFor(settings.commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        process.destroyForcibly();
      }
      context.need(ended, command.get(0) + " does not end");
      context.need(process.exitValue() == 0, command.get(0) + " ends with " + process.exitValue());
    } catch (IOException e) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED, command.get(0) + " can't be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CaseStopped(CaseStopped.Kind.SKIPPED, "the run was interrupted");
    }
  }
}
