package dev.csijava.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A driver in a Java process of its own, started as a container would start it. */
final class ServedProcess implements AutoCloseable {
  /** The variable with the exit code of a process that ends itself instead of serving. */
  static final String ENDS_BEFORE_SERVING = "ENDS_BEFORE_SERVING";

  private final Process process;
  private final Path output;

  private ServedProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** What the process runs. */
  public static void main(String[] arguments) throws Exception {
    CsiDriver driver = new EveryCapability().driver().build();
    String exitCode = System.getenv(ENDS_BEFORE_SERVING);
    if (exitCode == null) {
      CsiServer.serve(driver);
    } else {
      CsiServer.forDriver(driver)
          .closeOnExit()
          .beforeServing(() -> System.exit(Integer.parseInt(exitCode)))
          .start();
    }
  }

  /**
   * Starts a process whose environment has these variables and nothing else of CSI.
   *
   * @param output where to keep what it prints
   */
  static ServedProcess start(Map<String, String> environment, Path output) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                ServedProcess.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("CSI_"));
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new ServedProcess(builder.start(), output);
  }

  boolean runs() {
    return process.isAlive();
  }

  /** Asks it to stop, as a container's runtime does first. */
  void terminate() {
    process.destroy();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** The exit code, which must come soon. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the process goes on");
    }
    return process.exitValue();
  }

  String printed() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
