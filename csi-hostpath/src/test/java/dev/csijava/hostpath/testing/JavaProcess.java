package dev.csijava.hostpath.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process with the class path of the tests, small and quick to start. */
public final class JavaProcess {
  private JavaProcess() {}

  /** Not started yet. */
  public static ProcessBuilder of(String mainClass, String... arguments) {
    return of(List.of("-Xmx128m"), mainClass, arguments);
  }

  /**
   * Not started yet.
   *
   * @param options of the JVM
   */
  public static ProcessBuilder of(List<String> options, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
