package dev.csijava.hostpath.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Programs of this machine that look at things from outside. */
public final class Programs {
  private Programs() {}

  /** What a program prints; it has to succeed. */
  public static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(String.join(" ", command) + ": " + output).isZero();
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The first of these programs that is not installed. */
  public static Optional<String> missing(String... programs) {
    for (String program : programs) {
      boolean found = false;
      for (String folder :
          (System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin").split(":", -1)) {
        found |= !folder.isEmpty() && Files.isExecutable(Path.of(folder, program));
      }
      if (!found) {
        return Optional.of(program);
      }
    }
    return Optional.empty();
  }
}
