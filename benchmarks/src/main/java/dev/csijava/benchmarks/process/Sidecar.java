package dev.csijava.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process that runs until it is closed, its output in a file. */
final class Sidecar implements AutoCloseable {
  private static final int GRACE_SECONDS = 25;
  private static final int LAST_LINES = 5;
  private static final double KIB_IN_MIB = 1024;

  private final Process process;
  private final Path log;

  private Sidecar(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static Sidecar start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    // Our launcher must not build anything now.
    builder.environment().put("CSI_BUILD", "never");
    return new Sidecar(builder.start(), log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What of it is in memory now, in MiB: its own pages and the files that it has mapped. */
  double memory() throws IOException {
    for (String line :
        Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / KIB_IN_MIB;
      }
    }
    throw new IOException("the process " + process.pid() + " has no memory any more");
  }

  String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("; ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
