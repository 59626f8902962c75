package dev.csijava.core.mount;

import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * The first provider that can be loaded and works here.
 *
 * @param provider empty if there is none
 * @param why there is none, in one sentence that says how to change that
 */
record Providers(Optional<MounterProvider> provider, String why) {
  private static final int MOST_PROVIDERS = 8;

  /**
   * @param whyNot asks a provider why it does not work; empty if it does
   */
  static Providers find(ClassLoader loader, Function<MounterProvider, Optional<String>> whyNot) {
    String why = "no faster way is on the class path; to mount by system calls add csi-native";
    Iterator<MounterProvider> found = ServiceLoader.load(MounterProvider.class, loader).iterator();
    for (int i = 0; i < MOST_PROVIDERS; i++) {
      try {
        if (!found.hasNext()) {
          break;
        }
        MounterProvider provider = found.next();
        Optional<String> reason = whyNot.apply(provider);
        if (reason.isEmpty()) {
          return new Providers(Optional.of(provider), "");
        }
        why = reason.get();
      } catch (ServiceConfigurationError | LinkageError | IllegalCallerException e) {
        why = reasonOf(e);
      }
    }
    return new Providers(Optional.empty(), why);
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
