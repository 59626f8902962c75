package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions.Flag;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The bits that mount_setattr sets and statmount shows, and their names in the table. */
final class MountAttributes {
  /** The bits that say how access times are kept; 0 is relatime. */
  static final long ACCESS_TIME_MASK = 0x70;

  private static final long NO_ACCESS_TIME = 0x10;
  private static final long STRICT_ACCESS_TIME = 0x20;

  /** All mounts of a node have one of a few dozen combinations. */
  private static final Map<Long, Set<String>> NAMES = new ConcurrentHashMap<>();

  private MountAttributes() {}

  static long bit(Flag flag) {
    return switch (flag) {
      case RO -> 0x1;
      case NOSUID -> 0x2;
      case NODEV -> 0x4;
      case NOEXEC -> 0x8;
      case NOATIME -> NO_ACCESS_TIME;
    };
  }

  /** As mountinfo names them. */
  static Set<String> names(long bits) {
    return NAMES.computeIfAbsent(bits, MountAttributes::toNames);
  }

  private static Set<String> toNames(long bits) {
    Set<String> names = new HashSet<>();
    names.add((bits & 0x1) == 0 ? "rw" : "ro");
    add(names, bits, 0x2, "nosuid");
    add(names, bits, 0x4, "nodev");
    add(names, bits, 0x8, "noexec");
    add(names, bits, 0x80, "nodiratime");
    add(names, bits, 0x100000, "idmapped");
    add(names, bits, 0x200000, "nosymfollow");
    long accessTime = bits & ACCESS_TIME_MASK;
    if (accessTime == NO_ACCESS_TIME) {
      names.add("noatime");
    } else if (accessTime != STRICT_ACCESS_TIME) {
      names.add("relatime");
    }
    return Set.copyOf(names);
  }

  private static void add(Set<String> names, long bits, long bit, String name) {
    if ((bits & bit) != 0) {
      names.add(name);
    }
  }
}
