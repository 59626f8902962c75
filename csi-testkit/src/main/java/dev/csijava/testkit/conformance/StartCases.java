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

/** How a driver's process begins, for drivers that the user lets the kit start. */
final class StartCases implements CaseGroup {
  private static final String VARIABLE = "CSI_ENDPOINT";
  private static final Duration QUICKLY = Duration.ofSeconds(15);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-EP-001", StartCases::listens),
        Case.of(
            "start-without-endpoint",
            "Without an endpoint that it can use a driver ends, and not with 0",
            StartCases::refuses,
            "GEN-EP-007",
            "GEN-OP-003"));
  }

  private static List<String> command(CaseContext c) {
    List<String> command = c.settings().startCommand().orElse(List.of());
    c.need(!command.isEmpty(), "--start-command is not given");
    return command;
  }

  private static void listens(CaseContext c) throws IOException, InterruptedException {
    List<String> command = command(c);
    Path directory = Files.createTempDirectory("csi-testkit-start");
    Path socket = directory.resolve("csi.sock");
    Process process = start(command, Map.of(VARIABLE, "unix://" + socket));
    try (CsiConnection connection = CsiConnection.to(DriverEndpoint.parse(socket.toString()))) {
      Outcome<?> alive =
          Patience.until(
              c.settings().callTimeout(),
              () -> Outcome.of(() -> probe(connection)),
              outcome -> outcome.ok() || !process.isAlive());
      c.check(alive.ok(), "a driver that serves at " + socket, alive);
    } finally {
      process.destroy();
      if (!process.waitFor(QUICKLY.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(socket);
      removeIfEmpty(directory);
    }
  }

  private static Object probe(CsiConnection connection) {
    return IdentityGrpc.newBlockingStub(connection.perCall())
        .withDeadlineAfter(QUICKLY.toSeconds(), TimeUnit.SECONDS)
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

  private static void refuses(CaseContext c) throws IOException, InterruptedException {
    List<String> command = command(c);
    List<Map<String, String>> unusable =
        List.of(
            Map.of(),
            Map.of(VARIABLE, "no endpoint at all"),
            Map.of(VARIABLE, "carrier-pigeon:///csi.sock"),
            Map.of(VARIABLE, "unix:///dev/null/csi.sock"));
    for (Map<String, String> environment : unusable) {
      Process process = start(command, environment);
      try {
        boolean ended = process.waitFor(QUICKLY.toSeconds(), TimeUnit.SECONDS);
        String came = ended ? "it ended with " + process.exitValue() : "it runs";
        boolean right = ended && process.exitValue() != 0;
        for (String row : List.of("GEN-EP-007", "GEN-OP-003")) {
          c.check(row, right, "an end with another status than 0 given " + environment, came);
        }
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static Process start(List<String> command, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove(VARIABLE);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
