package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ProbeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The socket, as far as it can be seen. */
final class EndpointCases implements CaseGroup {
  private static final String NO_SOCKET = "the driver was not reached at a Unix socket";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "GEN-EP-002",
            c -> {
              c.need(socket(c).isPresent(), NO_SOCKET);
              c.ok(() -> c.identity().probe(ProbeRequest.getDefaultInstance()));
            }),
        Case.of(
            "GEN-EP-004",
            c -> {
              Path socket = socket(c).orElse(null);
              c.need(socket != null, NO_SOCKET);
              String name = String.valueOf(socket);
              c.need(
                  name.endsWith(".sock"),
                  "the driver was given the endpoint " + name + ", which does not end with .sock");
              c.ok(() -> c.identity().probe(ProbeRequest.getDefaultInstance()));
            }),
        Case.of(
            "GEN-EP-006",
            c -> {
              Path socket = socket(c).orElse(null);
              c.need(socket != null, NO_SOCKET);
              c.need(
                  socket != null && onlyEntry(socket),
                  "other files lie beside the socket, and nobody knows whose they are");
              c.check(true, "", "");
            }),
        Case.of("GEN-EP-005", EndpointCases::restart).runAlone());
  }

  private static void restart(CaseContext c) {
    try (DriverProcess driver = new DriverProcess(c)) {
      Outcome<?> alive = driver.restart();
      c.check(alive.ok(), "a driver that serves again", alive);
    }
  }

  private static Optional<Path> socket(CaseContext c) {
    return c.settings().endpoint().path();
  }

  private static boolean onlyEntry(Path socket) throws IOException {
    Path directory = socket.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.count() == 1;
    }
  }
}
