package dev.csijava.testkit.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fresh paths on the driver's host, made here or by the user's commands. Removes only what is
 * empty: never recursively, since a volume may still be mounted below.
 */
final class Places {
  private final Settings settings;
  private final String run;
  private final AtomicInteger next = new AtomicInteger();

  Places(Settings settings, String run) {
    this.settings = settings;
    this.run = run;
  }

  /** Whether the kit works on the driver's file system itself. */
  boolean local() {
    return settings.createTargetCommand().isEmpty() && settings.createStagingCommand().isEmpty();
  }

  /** A path that is not there, in a directory that is. */
  Path target() {
    Path parent = fresh(settings.targetDirectory());
    return make(parent, settings.createTargetCommand()).resolve("mount");
  }

  /** A directory. */
  Path staging() {
    return make(fresh(settings.stagingDirectory()), settings.createStagingCommand());
  }

  private Path fresh(Path directory) {
    return directory.resolve(run).resolve(Integer.toString(next.incrementAndGet()));
  }

  private Path make(Path path, Optional<List<String>> command) {
    try {
      if (command.isEmpty()) {
        return Files.createDirectories(path);
      }
      String printed = run(command.get(), path);
      return printed.isEmpty() ? path : Path.of(printed);
    } catch (IOException e) {
      throw new UncheckedIOException("the directory " + path + " can't be made", e);
    }
  }

  /** Removes what was made, as far as it is empty; says what stays. */
  List<String> remove() {
    List<String> left = new ArrayList<>();
    for (Path directory : List.of(settings.targetDirectory(), settings.stagingDirectory())) {
      boolean targets = directory.equals(settings.targetDirectory());
      Optional<List<String>> command =
          targets ? settings.removeTargetCommand() : settings.removeStagingCommand();
      left.addAll(remove(directory.resolve(run), command));
    }
    return left;
  }

  private List<String> remove(Path made, Optional<List<String>> command) {
    List<String> left = new ArrayList<>();
    try {
      if (command.isPresent()) {
        run(command.get(), made);
      } else if (Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)) {
        List<Path> paths = new ArrayList<>();
        try (java.util.stream.Stream<Path> below = Files.walk(made, 2)) {
          below.forEach(paths::add);
        }
        Collections.reverse(paths);
        for (Path path : paths) {
          Files.deleteIfExists(path);
        }
        Path parent = made.getParent();
        if (parent != null && isEmpty(parent)) {
          Files.deleteIfExists(parent);
        }
      }
    } catch (IOException e) {
      left.add("the directory " + made + " could not be removed: " + e);
    }
    return left;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (java.util.stream.Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  /** Runs a program on a path; the answer is the last line that it prints. */
  private String run(List<String> command, Path path) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.add(path.toString());
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(settings.commandTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(command.get(0) + " did not end in " + settings.commandTimeout());
      }
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.exitValue() != 0) {
        throw new IOException(
            command.get(0) + " ended with " + process.exitValue() + ": " + printed);
      }
      return printed.substring(printed.lastIndexOf('\n') + 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
