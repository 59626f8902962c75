package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions.Flag;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads mount_flags; refuses what a bind mount would silently lose (rule K11). */
final class MountFlagParser {
  private static final Map<String, Flag> FLAGS =
      Map.of(
          "ro", Flag.RO,
          "nosuid", Flag.NOSUID,
          "nodev", Flag.NODEV,
          "noexec", Flag.NOEXEC,
          "noatime", Flag.NOATIME);

  private static final Set<String> DEFAULTS =
      Set.of("", "defaults", "rw", "suid", "dev", "exec", "async", "relatime");

  private MountFlagParser() {}

  static MountOptions parse(Collection<String> mountFlags) {
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (String entry : mountFlags) {
      for (String option : entry.split(",", -1)) {
        Flag flag = FLAGS.get(option.toLowerCase(Locale.ROOT));
        if (flag != null) {
          flags.add(flag);
        } else if (!DEFAULTS.contains(option)) {
          throw CsiException.invalidArgument(
              "mount_flags: a bind mount can't keep this option; allowed are "
                  + String.join(", ", FLAGS.keySet().stream().sorted().toList()));
        }
      }
    }
    return new MountOptions(flags);
  }
}
