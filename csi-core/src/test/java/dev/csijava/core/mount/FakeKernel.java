package dev.csijava.core.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A mount table in memory, with a mount(8) and an umount(8) that work on it, and lie, fail or hang
 * as told, once each. What a bind shows is what lies at its source.
 */
final class FakeKernel implements ProgramRunner {
  /** What the next program does instead of its work. */
  enum Fault {
    NONE,
    FAILS,
    FAILS_FOR_BUSY,
    FAILS_WITHOUT_ROOM,
    WORKS_BUT_REPORTS_FAILURE,
    CLAIMS_SUCCESS,
    HANGS,
    HANGS_FOR_EVER,
    HANGS_AFTER_THE_WORK,
    IGNORES_OPTIONS,
    IGNORES_OPTIONS_AND_FAILS,
    IGNORES_PRIVACY,
    MOUNTS_SOMETHING_ELSE,
    CANNOT_START
  }

  static final String ROOT_LINE = "1 0 8:1 / / rw,relatime - ext4 /dev/root rw";

  private final FileSystem fileSystem;
  private final List<String> lines = new ArrayList<>(List.of(ROOT_LINE));
  private final Map<Path, Path> shows = new LinkedHashMap<>();
  private final Deque<Fault> faults = new ArrayDeque<>();
  private final List<ProgramCommand> commands = new ArrayList<>();
  private long nextId = 100;

  FakeKernel(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  ProgramMounter mounter() {
    return new ProgramMounter(
        this,
        this::table,
        this::identity,
        new MountHolders(fileSystem.getPath("/proc")),
        Duration.ofSeconds(5));
  }

  void next(Fault... more) {
    faults.addAll(Arrays.asList(more));
  }

  void line(String line) {
    lines.add(line);
  }

  MountTable table() {
    return MountTable.parse(String.join("\n", lines).getBytes(StandardCharsets.UTF_8), fileSystem);
  }

  List<Mount> stackAt(Path path) {
    return table().stackAt(path);
  }

  List<ProgramCommand> commands() {
    return commands;
  }

  FileIdentity identity(Path path) throws IOException {
    Path shown = path;
    if (!stackAt(path).isEmpty()) {
      shown = shows.getOrDefault(path, fileSystem.getPath("/"));
    }
    return FileIdentity.of(shown);
  }

  @Override
  public ProgramResult run(ProgramCommand command, Duration deadline) throws IOException {
    commands.add(command);
    Fault fault = faults.isEmpty() ? Fault.NONE : faults.remove();
    return switch (fault) {
      case FAILS -> ProgramResult.exited(32, "", "mount: wrong fs type, bad option\nor worse.");
      case FAILS_FOR_BUSY -> ProgramResult.exited(32, "", "umount: /t: target is busy.");
      case FAILS_WITHOUT_ROOM ->
          ProgramResult.exited(32, "", "mount(2) system call failed: No space left on device.");
      case CLAIMS_SUCCESS -> ProgramResult.exited(0, "", "");
      case HANGS -> new ProgramResult(-1, true, false, "", "");
      case HANGS_FOR_EVER -> new ProgramResult(-1, true, true, "", "");
      case CANNOT_START -> throw new IOException("Cannot run program \"mount\"");
      case NONE, IGNORES_OPTIONS, IGNORES_PRIVACY, MOUNTS_SOMETHING_ELSE -> work(command, fault);
      case WORKS_BUT_REPORTS_FAILURE, IGNORES_OPTIONS_AND_FAILS -> {
        ProgramResult real = work(command, fault);
        yield real.succeeded() ? ProgramResult.exited(32, "", "strange things happened") : real;
      }
      case HANGS_AFTER_THE_WORK -> {
        ProgramResult unused = work(command, fault);
        yield new ProgramResult(-1, true, false, unused.stdout(), unused.stderr());
      }
    };
  }

  private ProgramResult work(ProgramCommand command, Fault fault) {
    List<String> arguments = command.arguments();
    int paths = arguments.indexOf("--") + 1;
    if (command.program().equals("umount")) {
      for (String path : arguments.subList(paths, arguments.size())) {
        Mount top = table().at(fileSystem.getPath(path)).orElse(null);
        if (top == null) {
          return ProgramResult.exited(32, "", "umount: " + path + ": not mounted.");
        }
        lines.removeIf(line -> line.startsWith(top.id() + " "));
      }
      return ProgramResult.exited(0, "", "");
    }
    String source = arguments.get(paths);
    Path target = fileSystem.getPath(arguments.get(paths + 1));
    String options = after("-o", arguments);
    boolean ignored = fault == Fault.IGNORES_OPTIONS || fault == Fault.IGNORES_OPTIONS_AND_FAILS;
    if (arguments.contains("--bind")) {
      Mount below = table().containing(fileSystem.getPath(source)).orElseThrow();
      // As the kernel does: without options those of the source, else just the given ones.
      TreeSet<String> flags = new TreeSet<>(below.options());
      if (options != null && !ignored) {
        flags.removeIf(flag -> !flag.equals("relatime"));
        flags.addAll(Arrays.asList(options.split(",", -1)));
      }
      boolean other = fault == Fault.MOUNTS_SOMETHING_ELSE;
      shows.put(target, fileSystem.getPath(other ? "/" : source));
      add(below.device(), source, target, flags, fault, below.fileSystemType() + " /dev/root rw");
    } else {
      TreeSet<String> flags = new TreeSet<>();
      if (options != null && !ignored) {
        flags.addAll(Arrays.asList(options.split(",", -1)));
      }
      flags.removeIf(flag -> flag.contains("="));
      add("0:99", "/", target, flags, fault, after("-t", arguments) + " " + source + " rw");
    }
    return ProgramResult.exited(0, "", "");
  }

  private void add(
      String device, String root, Path target, Set<String> flags, Fault fault, String rest) {
    long parent = table().containing(target).orElseThrow().id();
    if (!flags.contains("ro")) {
      flags.add("rw");
    }
    String peers = fault == Fault.IGNORES_PRIVACY ? " shared:7" : "";
    line(
        "%d %d %s %s %s %s%s - %s"
            .formatted(
                nextId++, parent, device, root, target, String.join(",", flags), peers, rest));
  }

  private static @Nullable String after(String option, List<String> arguments) {
    int at = arguments.indexOf(option);
    return at < 0 ? null : arguments.get(at + 1);
  }
}
