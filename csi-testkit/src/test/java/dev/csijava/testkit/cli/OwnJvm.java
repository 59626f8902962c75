package dev.csijava.testkit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How a test starts a JVM like its own. */
public final class OwnJvm {
  private OwnJvm() {}

  /** The program that runs this test. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A command line for a program of this class path, quick to start. */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UseSerialGC", "-cp", String.join(":", classPath()), main.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** The class path of this test, entry by entry; Surefire hides it behind a jar of its own. */
  public static List<String> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ArrayList<>(Arrays.asList(path.split(":", -1)));
  }
}
