package dev.csijava.testkit.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the user's that does something with a path on the driver's host. */
final class PathCommand {
  private PathCommand() {}

  /**
   * Runs the program; the path is its last argument.
   *
   * @return the last line that it prints, without blanks around it
   * @throws IOException if it can't be run, ends with another status than 0, or takes too long;
   *     what it complained of is in the message
   */
  static String run(List<String> command, Path path, Duration atMost) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.add(path.toString());
    // Files, not pipes: a pipe fills up, and a process that the program leaves behind, as ssh does
    // with a connection that it shares, would keep it open for ever.
    Path printed = Files.createTempFile("csi-testkit", ".out");
    Path complained = Files.createTempFile("csi-testkit", ".err");
    try {
      Process process =
          new ProcessBuilder(words)
              .redirectOutput(printed.toFile())
              .redirectError(complained.toFile())
              .start();
      await(process, command.get(0), atMost);
      String output = text(printed);
      if (process.exitValue() != 0) {
        throw new IOException(
            command.get(0)
                + " ended with "
                + process.exitValue()
                + ": "
                + (output + "\n" + text(complained)).strip());
      }
      return output.substring(output.lastIndexOf('\n') + 1).strip();
    } finally {
      Files.deleteIfExists(printed);
      Files.deleteIfExists(complained);
    }
  }

  private static void await(Process process, String program, Duration atMost) throws IOException {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(program + " did not end in " + atMost.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
  }
}
