package dev.csijava.testkit.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
    Process process = new ProcessBuilder(words).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(command.get(0) + " did not end in " + atMost.toSeconds() + " s");
      }
      String printed = text(process.getInputStream());
      if (process.exitValue() != 0) {
        throw new IOException(
            command.get(0)
                + " ended with "
                + process.exitValue()
                + ": "
                + (printed + "\n" + text(process.getErrorStream())).strip());
      }
      return printed.substring(printed.lastIndexOf('\n') + 1).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
