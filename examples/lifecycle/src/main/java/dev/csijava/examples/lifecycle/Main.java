package dev.csijava.examples.lifecycle;

import dev.csijava.core.kubelet.KubeletPaths;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes volumes through their whole life at a driver that serves already:
 *
 * <pre>{@code
 * java ... dev.csijava.examples.lifecycle.Main SOCKET FOLDER DRIVER [--colours]
 * }</pre>
 *
 * <p>SOCKET is the driver's socket, FOLDER an absolute path below which kubelet's directories are
 * made and everything that is mounted is ours, DRIVER the plugin name. The exit code is 0 without a
 * surprise, 1 with one, 2 for wrong arguments.
 */
public final class Main {
  private Main() {}

  /** Runs once and ends the process. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    List<String> words = List.of(arguments);
    boolean colours = words.size() == 4 && words.get(3).equals("--colours");
    if (words.size() != 3 && !colours) {
      out.println("arguments: SOCKET FOLDER DRIVER [--colours]");
      System.exit(2);
    }
    Tally tally =
        run(
            Path.of(words.get(0)),
            Path.of(words.get(1)).toRealPath(),
            words.get(2),
            new Terminal(out, colours));
    System.exit(tally.surprises() == 0 ? 0 : 1);
  }

  private static Tally run(Path socket, Path folder, String driver, Narrator narrator)
      throws IOException {
    try (Caller caller = new Caller(socket)) {
      Cast cast = new Cast(caller, KubeletPaths.of(folder.resolve("kubelet"), driver));
      return new Runner(folder, narrator).run(Lifecycle.steps(cast, folder));
    }
  }
}
