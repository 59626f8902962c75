package dev.csijava.core.mount;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which loop devices this process uses, chosen once, with one line in the log as for mounts. */
record SystemLoops(Function<String, LoopDevices> factory, String sentence) {
  private static final Logger log = LoggerFactory.getLogger(SystemLoops.class);
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Chosen at the first use. */
  private static final class Holder {
    private static final SystemLoops CHOSEN =
        choose(Providers.find(MounterProvider.class.getClassLoader(), SystemLoops::whyNot));

    static {
      log.info("{}", CHOSEN.sentence());
    }
  }

  static SystemLoops get() {
    return Holder.CHOSEN;
  }

  static SystemLoops choose(Providers found) {
    LoopDevices programs = LoopDevices.byPrograms(DEADLINE);
    return found
        .provider()
        .map(
            provider ->
                new SystemLoops(
                    tag -> provider.loopDevices(tag, programs),
                    "loop devices are attached by " + provider.name()))
        .orElseGet(
            () ->
                new SystemLoops(
                    tag -> programs, "loop devices are attached by losetup(8): " + found.why()));
  }

  static Optional<String> whyNot(MounterProvider provider) {
    return provider.unavailable().or(provider::loopDevicesUnavailable);
  }

  LoopDevices devices(String tag) {
    return factory.apply(tag);
  }
}
