package dev.csijava.benchmarks.process;

/** How much is done for a figure. */
public enum Effort {
  /** As much as it needs. */
  FULL,
  /** Quick and rough. */
  SHORT,
  /** As little as shows that it works. */
  ONCE;

  /** One of three. */
  public <T> T choose(T full, T brief, T once) {
    return switch (this) {
      case FULL -> full;
      case SHORT -> brief;
      case ONCE -> once;
    };
  }
}
