package dev.csijava.testkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Fresh paths on the driver's host, made and looked at here or by the user's commands. Removes only
 * what it made and what is empty: never recursively, since a volume may still be mounted below.
 */
final class Places {
  private final Settings settings;
  private final String run;
  private final AtomicInteger next = new AtomicInteger();
  private final Made targets;
  private final Made stagings;

  Places(Settings settings, String run) {
    this.settings = settings;
    this.run = run;
    this.targets =
        new Made(
            settings.targetDirectory(),
            settings.createTargetCommand(),
            settings.removeTargetCommand());
    this.stagings =
        new Made(
            settings.stagingDirectory(),
            settings.createStagingCommand(),
            settings.removeStagingCommand());
  }

  /** Whether the kit works on the driver's file system itself. */
  boolean local() {
    return settings.createTargetCommand().isEmpty() && settings.createStagingCommand().isEmpty();
  }

  /** Whether it can be told what stands at a path. */
  boolean canLook() {
    return local() || settings.checkPathCommand().isPresent();
  }

  /** What stands at a path; ends the case if nobody can tell. */
  PathKind kind(Path path) {
    Optional<List<String>> command = settings.checkPathCommand();
    if (command.isEmpty()) {
      return PathKind.of(path);
    }
    try {
      return PathKind.parse(PathCommand.run(command.get(), path, settings.commandTimeout()));
    } catch (IOException e) {
      throw unprepared("--check-path-command can't tell what " + path + " is", e);
    }
  }

  /** A path that is not there, in a directory that is. */
  Path target() {
    return targets.one().resolve("mount");
  }

  /** A directory. */
  Path staging() {
    return stagings.one();
  }

  /** Removes what was made, as far as it is empty; says what stays. */
  List<String> remove() {
    List<String> left = new ArrayList<>(targets.remove());
    left.addAll(stagings.remove());
    return left;
  }

  private static CaseStopped unprepared(String what, IOException e) {
    return new CaseStopped(CaseStopped.Kind.UNPREPARED, what + ": " + e.getMessage());
  }

  /** Directories below one that the user named. */
  private final class Made {
    private final Path directory;
    private final Optional<List<String>> create;
    private final Optional<List<String>> remove;
    private final List<Path> byCommand = new ArrayList<>();

    /** Whether the kit made the directory that the user named, too. */
    private boolean own;

    Made(Path directory, Optional<List<String>> create, Optional<List<String>> remove) {
      this.directory = directory;
      this.create = create;
      this.remove = remove;
    }

    private Path parent() {
      return directory.resolve(run);
    }

    Path one() {
      Path fresh = parent().resolve(Integer.toString(next.incrementAndGet()));
      try {
        if (create.isEmpty()) {
          return make(fresh);
        }
        String printed = PathCommand.run(create.get(), fresh, settings.commandTimeout());
        Path made = printed.isEmpty() ? fresh : Path.of(printed);
        synchronized (byCommand) {
          byCommand.add(made);
        }
        return made;
      } catch (IOException e) {
        throw unprepared("the directory " + fresh + " can't be made", e);
      }
    }

    private synchronized Path make(Path fresh) throws IOException {
      own |= Files.notExists(directory, LinkOption.NOFOLLOW_LINKS);
      return Files.createDirectories(fresh);
    }

    /** The user's command gets each directory as it was made, then the one above the fresh ones. */
    List<String> remove() {
      List<String> left = new ArrayList<>();
      List<Path> paths;
      synchronized (byCommand) {
        paths = new ArrayList<>(byCommand);
        byCommand.clear();
      }
      if (paths.stream().anyMatch(path -> parent().equals(path.getParent()))) {
        paths.add(parent());
      }
      for (Path path : paths) {
        try {
          if (remove.isPresent()) {
            PathCommand.run(remove.get(), path, settings.commandTimeout());
          } else {
            Files.deleteIfExists(path);
          }
        } catch (IOException e) {
          left.add(stays(path, e));
        }
      }
      try {
        removeOwn(left);
      } catch (IOException e) {
        left.add(stays(parent(), e));
      }
      return left;
    }

    private String stays(Path path, IOException e) {
      return "the directory " + path + " could not be removed: " + e;
    }

    /** One that stays is no reason for the others to stay. */
    private synchronized void removeOwn(List<String> left) throws IOException {
      if (create.isPresent() || !Files.isDirectory(parent(), LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      for (Path fresh : entries(parent())) {
        removeFresh(fresh, left);
      }
      if (entries(parent()).isEmpty()) {
        Files.deleteIfExists(parent());
        if (own && entries(directory).isEmpty()) {
          Files.deleteIfExists(directory);
        }
      }
    }

    /**
     * Removes a directory and what a driver left in it that holds nothing. Where a volume is still
     * mounted its content is not even listed: it is the user's.
     */
    private void removeFresh(Path fresh, List<String> left) {
      if (isGone(fresh)) {
        return;
      }
      Path now = fresh;
      try {
        refuseMounted(fresh);
        for (Path entry : entries(fresh)) {
          now = entry;
          refuseMounted(entry);
          if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) && Files.size(entry) > 0) {
            throw new IOException("it has content");
          }
          Files.deleteIfExists(entry);
        }
        now = fresh;
        Files.deleteIfExists(fresh);
      } catch (IOException e) {
        left.add(stays(now, e));
      }
    }
  }

  /** An empty directory goes without being looked into, so none that hangs holds this up. */
  private static boolean isGone(Path fresh) {
    try {
      Files.deleteIfExists(fresh);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void refuseMounted(Path path) throws IOException {
    // As the kernel's table names it, without following what stands there itself.
    Path parent = path.toAbsolutePath().getParent();
    Path name = path.getFileName();
    if (parent != null
        && name != null
        && SeenMounts.isMounted(parent.toRealPath().resolve(name).toString())) {
      throw new IOException("something is mounted there");
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }
}
