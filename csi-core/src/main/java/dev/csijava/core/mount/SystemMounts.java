package dev.csijava.core.mount;

import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which implementation this process uses: that of the first provider that can be loaded and works,
 * else the programs, and one line in the log that says which and why.
 */
record SystemMounts(Mounter mounter, UsageReader usageReader, String sentence) {
  private static final Logger log = LoggerFactory.getLogger(SystemMounts.class);
  private static final int MOST_PROVIDERS = 8;
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
    String why = "no faster way is on the class path; to mount by system calls add csi-native";
    Iterator<MounterProvider> found = ServiceLoader.load(MounterProvider.class, loader).iterator();
    for (int i = 0; i < MOST_PROVIDERS; i++) {
      try {
        if (!found.hasNext()) {
          break;
        }
        MounterProvider provider = found.next();
        Optional<String> reason = provider.unavailable();
        if (reason.isEmpty()) {
          return new SystemMounts(
              provider.mounter(programs),
              provider.usageReader(stat),
              "mounts are made by " + provider.name());
        }
        why = reason.get();
      } catch (ServiceConfigurationError | LinkageError | IllegalCallerException e) {
        why = reasonOf(e);
      }
    }
    return new SystemMounts(programs, stat, "mounts are made by mount(8): " + why);
  }

  /** What is thrown depends on the JDK, and on whether it came up in a static initialiser. */
  private static String reasonOf(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnsupportedClassVersionError) {
        return "JDK "
            + Runtime.version().feature()
            + " is too old for csi-native; to mount by system calls run on JDK 22 or newer";
      }
      if (cause instanceof IllegalCallerException) {
        return "native access is denied; to mount by system calls start the JVM with"
            + " --enable-native-access=ALL-UNNAMED";
      }
    }
    return "csi-native can't be loaded; to mount by system calls mend this: " + thrown;
  }
}
