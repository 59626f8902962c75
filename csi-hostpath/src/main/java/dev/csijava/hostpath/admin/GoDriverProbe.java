package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the Go driver runs, which has no lock: for its process, where this one may see it,
 * and for somebody who answers at its socket.
 *
 * @param proc where processes are listed
 */
record GoDriverProbe(Path proc) {
  private static final String PROGRAM = "hostpathplugin";

  /**
   * What shows that it runs, as a sentence; empty if nothing does.
   *
   * @param socket of the driver, if the operator named it
   */
  Optional<String> running(@Nullable Path socket) throws IOException {
    if (socket != null && answers(socket)) {
      return Optional.of("a driver answers at " + socket);
    }
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (isDriver(process)) {
          return Optional.of("the Go driver runs as process " + process.getFileName());
        }
      }
    }
    return Optional.empty();
  }

  private static boolean answers(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isDriver(Path process) {
    try {
      String line =
          new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
      int end = line.indexOf('\0');
      String program = end < 0 ? line : line.substring(0, end);
      return program.substring(program.lastIndexOf('/') + 1).equals(PROGRAM);
    } catch (IOException e) {
      // It has ended meanwhile.
      return false;
    }
  }
}
