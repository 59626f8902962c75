package dev.csijava.nativeio;

import java.util.Locale;
import java.util.Optional;

/**
 * The processor, as far as the kernel's numbers depend on it. Those of x86-64 are tried by every
 * build; those of aarch64 come from the kernel's own tables and have not been run.
 */
enum Architecture {
  X86_64(0x10000, 0x20000),
  AARCH64(0x4000, 0x8000),
  /** No system call is made there. */
  OTHER(0, 0);

  private static final Architecture RUNNING = of(System.getProperty("os.arch", ""));

  private final int directory;
  private final int noFollow;

  Architecture(int directory, int noFollow) {
    this.directory = directory;
    this.noFollow = noFollow;
  }

  static Architecture running() {
    return RUNNING;
  }

  static Architecture of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> X86_64;
      case "aarch64" -> AARCH64;
      default -> OTHER;
    };
  }

  /** Why no system call can be made here, in one sentence; empty if it can. */
  static Optional<String> unsupported() {
    if (System.getProperty("os.name", "").equals("Linux") && RUNNING != OTHER) {
      return Optional.empty();
    }
    return Optional.of(
        "system calls are made on Linux on x86-64 and aarch64 only; this is "
            + System.getProperty("os.name")
            + " on "
            + System.getProperty("os.arch"));
  }

  /** The value of O_DIRECTORY. */
  int directory() {
    return directory;
  }

  /** The value of O_NOFOLLOW. */
  int noFollow() {
    return noFollow;
  }
}
