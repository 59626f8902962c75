package dev.csijava.core.mount;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which implementation this process uses: that of the first provider that can be loaded and works,
 * else the programs, and one line in the log that says which and why.
 */
record SystemMounts(
    Mounter mounter, UsageReader usageReader, MountTable.Census census, String sentence) {
  private static final Logger log = LoggerFactory.getLogger(SystemMounts.class);
  private static final Duration USAGE_DEADLINE = Duration.ofSeconds(30);

  /** Chosen at the first use, once a process. */
  private static final class Holder {
    private static final SystemMounts CHOSEN = choose(MounterProvider.class.getClassLoader());

    static {
      log.info("{}", CHOSEN.sentence());
    }
  }

  static SystemMounts get() {
    return Holder.CHOSEN;
  }

  static SystemMounts choose(ClassLoader loader) {
    Mounter programs = Mounter.byPrograms(Mounter.DEFAULT_DEADLINE);
    UsageReader stat = UsageReader.byPrograms(USAGE_DEADLINE);
    Providers found = Providers.find(loader, MounterProvider::unavailable);
    return found
        .provider()
        .map(
            provider ->
                new SystemMounts(
                    provider.mounter(programs),
                    provider.usageReader(stat),
                    provider::mountNumbers,
                    "mounts are made by " + provider.name()))
        .orElseGet(
            () ->
                new SystemMounts(
                    programs,
                    stat,
                    MountTable.Census.NONE,
                    "mounts are made by mount(8): " + found.why()));
  }
}
