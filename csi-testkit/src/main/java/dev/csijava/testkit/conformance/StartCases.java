package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How a driver's process begins, for drivers that the user lets the kit start. That a driver ends
 * where it was told no endpoint is a SHOULD: many have one of their own for that case, and to serve
 * there is another way to make sense of it. To run and serve nowhere is none.
 */
final class StartCases implements CaseGroup {
  private static final String VARIABLE = "CSI_ENDPOINT";
  private static final String ENDS = "GEN-EP-007";
  private static final String FAILS_FAST = "GEN-OP-003";
  private static final int POLL_MILLIS = 50;

  private final Duration quickly;

  StartCases() {
    this(Duration.ofSeconds(15));
  }

  /** Cases for drivers that take so long to begin, at most. */
  StartCases(Duration quickly) {
    this.quickly = quickly;
  }

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-EP-001", this::listens),
        Case.of(
            "start-without-endpoint",
            "Without an endpoint that it can use a driver ends, and not with 0",
            this::refuses,
            ENDS,
            FAILS_FAST));
  }

  private static List<String> command(CaseContext c) {
    List<String> command = c.settings().startCommand().orElse(List.of());
    c.need(!command.isEmpty(), "--start-command is not given");
    return command;
  }

  private void listens(CaseContext c) throws IOException, InterruptedException {
    List<String> command = command(c);
    Path directory = Files.createTempDirectory("csi-testkit-start");
    Path socket = directory.resolve("csi.sock");
    Process process;
    try {
      process = start(command, Map.of(VARIABLE, "unix://" + socket));
    } catch (CaseStopped e) {
      Files.deleteIfExists(directory);
      throw e;
    }
    try (CsiConnection connection = CsiConnection.to(DriverEndpoint.parse(socket.toString()))) {
      Outcome<?> alive =
          Patience.until(
              c.settings().callTimeout(),
              () -> Outcome.of(() -> probe(connection)),
              outcome -> outcome.ok() || !process.isAlive());
      c.check(alive.ok(), "a driver that serves at " + socket, alive);
    } finally {
      end(process);
      Files.deleteIfExists(socket);
      removeIfEmpty(directory);
    }
  }

  private Object probe(CsiConnection connection) {
    return IdentityGrpc.newBlockingStub(connection.perCall())
        .withDeadlineAfter(quickly.toMillis(), TimeUnit.MILLISECONDS)
        .probe(ProbeRequest.getDefaultInstance());
  }

  private static void removeIfEmpty(Path directory) throws IOException {
    try (java.util.stream.Stream<Path> entries = Files.list(directory)) {
      if (entries.findAny().isPresent()) {
        return; // not the kit's to remove
      }
    }
    Files.deleteIfExists(directory);
  }

  private void refuses(CaseContext c) throws IOException, InterruptedException {
    List<String> command = command(c);
    List<Map<String, String>> unusable =
        List.of(
            Map.of(VARIABLE, "no endpoint at all"),
            Map.of(VARIABLE, "carrier-pigeon:///csi.sock"),
            Map.of(VARIABLE, "unix:///dev/null/csi.sock"));
    for (Map<String, String> environment : unusable) {
      Process process = start(command, environment);
      try {
        boolean ended = process.waitFor(quickly.toMillis(), TimeUnit.MILLISECONDS);
        ends(c, process, ended, "given " + environment);
      } finally {
        end(process);
      }
    }
    Process process = start(command, Map.of());
    try {
      if (servesElsewhere(process)) {
        c.note(ENDS, "seen: without " + VARIABLE + " it listens at an endpoint of its own");
      } else {
        ends(c, process, !process.isAlive(), "without " + VARIABLE);
      }
    } finally {
      end(process);
    }
  }

  private static void ends(CaseContext c, Process process, boolean ended, String given) {
    String came = ended ? "it ended with " + process.exitValue() : "it runs";
    for (String row : List.of(ENDS, FAILS_FAST)) {
      c.check(
          row,
          ended && process.exitValue() != 0,
          "an end with another status than 0 " + given,
          came);
    }
  }

  /** Waits until it is clear: it has ended, or it listens and goes on. */
  private boolean servesElsewhere(Process process) throws InterruptedException {
    long end = System.nanoTime() + quickly.toNanos();
    while (System.nanoTime() < end) {
      if (Listeners.of(process)) {
        // What it listens with may be a page for metrics, opened before it looks at the endpoint.
        return !process.waitFor(Math.min(1000, quickly.toMillis()), TimeUnit.MILLISECONDS)
            && Listeners.of(process);
      }
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return false;
  }

  /** Lets it remove its socket; what a script has started ends with it. */
  private void end(Process process) throws InterruptedException {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    started.forEach(ProcessHandle::destroy);
    if (!process.waitFor(quickly.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
    long patience = System.nanoTime() + quickly.toNanos();
    for (ProcessHandle one : started) {
      while (one.isAlive() && System.nanoTime() < patience) {
        Thread.sleep(POLL_MILLIS);
      }
      one.destroyForcibly();
    }
  }

  private static Process start(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove(VARIABLE);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new CaseStopped(
          CaseStopped.Kind.SKIPPED, command.get(0) + " can't be run: " + e.getMessage());
    }
  }
}
