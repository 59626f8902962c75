package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Remounts by mount(8), which is told not to look the path up in fstab or merge what it finds
 * there: the options of the mount that have to stay are handed to it.
 */
final class ProgramRemounter {
  /** Another errand, or an option of the mount. */
  private static final Set<String> NOT_THE_FILE_SYSTEMS =
      Set.of(
          "bind",
          "rbind",
          "move",
          "remount",
          "ro",
          "rw",
          "nosuid",
          "suid",
          "nodev",
          "dev",
          "noexec",
          "exec",
          "noatime",
          "atime",
          "nodiratime",
          "diratime",
          "relatime",
          "norelatime",
          "strictatime",
          "nostrictatime",
          "nosymfollow",
          "symfollow",
          "shared",
          "rshared",
          "private",
          "rprivate",
          "slave",
          "rslave",
          "unbindable",
          "runbindable",
          "defaults",
          "user",
          "users",
          "owner",
          "group");

  private final ProgramRunner programs;
  private final MountPlace.Tables tables;
  private final Duration deadline;

  ProgramRemounter(ProgramRunner programs, MountPlace.Tables tables, Duration deadline) {
    this.programs = programs;
    this.tables = tables;
    this.deadline = deadline;
  }

  /** As {@link Mounter#remount} says. */
  void remount(Path target, List<String> options) {
    List<String> wanted = checked(options);
    MountPlace place = MountPlace.find(target, tables);
    Mount mount =
        place
            .top()
            .orElseThrow(
                () -> CsiException.failedPrecondition("nothing is mounted at the path: " + target));
    if (mount.options().contains("ro") && !mount.superOptions().contains("ro")) {
      throw CsiException.failedPrecondition(
          "the file system is mounted read-only at the path and writable elsewhere; remount it"
              + " there");
    }
    ProgramCommand command = command(mount, wanted, place.path());
    ProgramResult result;
    try {
      result = programs.run(command, deadline);
    } catch (IOException e) {
      throw CsiException.internal("mount can't be run: " + e.getMessage(), e);
    }
    if (result.timedOut()) {
      throw CsiException.unavailable(result.words(command), null);
    }
    if (!result.succeeded()) {
      throw CsiException.internal(result.words(command), null);
    }
    requireKept(mount, MountPlace.find(target, tables));
  }

  private static ProgramCommand command(Mount mount, List<String> wanted, Path target) {
    TreeSet<String> kept = new TreeSet<>(mount.options());
    kept.retainAll(MountOptions.INHERITED);
    List<String> all = new ArrayList<>(List.of("remount"));
    all.addAll(kept);
    all.addAll(wanted);
    return ProgramCommand.of("mount", "-n", "-c", "--options-mode", "ignore", "-o")
        .withSecret(String.join(",", all))
        .with("--", RawPaths.argument(target));
  }

  private static void requireKept(Mount before, MountPlace now) {
    Mount after =
        now.top()
            .orElseThrow(() -> CsiException.unavailable("the mount went away meanwhile", null));
    if (after.id() != before.id() || !after.options().equals(before.options())) {
      throw CsiException.unavailable(
          "the mount at the path was changed meanwhile, or by the remount: it had "
              + new TreeSet<>(before.options())
              + " and has "
              + new TreeSet<>(after.options()),
          null);
    }
  }

  private static List<String> checked(List<String> options) {
    List<String> single = new ArrayList<>();
    for (String entry : options) {
      single.addAll(Arrays.asList(entry.split(",", -1)));
    }
    if (single.isEmpty()) {
      throw CsiException.invalidArgument("a remount needs an option to change");
    }
    for (String option : single) {
      if (option.isBlank()
          || option.indexOf('\0') >= 0
          || NOT_THE_FILE_SYSTEMS.contains(option)
          || option.startsWith("x-")
          || option.startsWith("X-")) {
        throw CsiException.invalidArgument("only options of the file system can be changed");
      }
    }
    return single;
  }
}
