package dev.csijava.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a program to its end. */
final class Programs {
  private Programs() {}

  /**
   * @throws IOException if it fails, with what it said
   */
  static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String words =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int exit = process.waitFor();
      if (exit != 0) {
        throw new IOException(command.getFirst() + " failed with " + exit + ": " + words);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
