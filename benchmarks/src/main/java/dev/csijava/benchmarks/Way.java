package dev.csijava.benchmarks;

import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import java.time.Duration;

/** The competitors, put through the same code. */
public enum Way {
  /** System calls; what {@link Mounter#system} chooses with csi-native on the class path. */
  NATIVE,
  /** The programs mount(8), umount(8) and stat(1). */
  PROGRAM;

  private static final Duration DEADLINE = Duration.ofMinutes(1);

  Mounter mounter() {
    return this == NATIVE ? Mounter.system() : Mounter.byPrograms(DEADLINE);
  }

  UsageReader usageReader() {
    return this == NATIVE ? UsageReader.system() : UsageReader.byPrograms(DEADLINE);
  }
}
