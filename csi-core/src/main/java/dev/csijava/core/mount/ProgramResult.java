package dev.csijava.core.mount;

/**
 * How a program ended.
 *
 * @param exitCode its exit code; -1 if it was killed at its deadline
 * @param timedOut whether the deadline passed and it was killed
 * @param stillRunning whether it, or a child of it, could not even be killed, because the kernel
 *     holds it; what it does then still may happen
 * @param stdout the beginning of what it wrote
 * @param stderr the beginning of its complaints, without the command's secrets
 */
record ProgramResult(
    int exitCode, boolean timedOut, boolean stillRunning, String stdout, String stderr) {
  private static final int LONGEST_WORDS = 300;

  static ProgramResult exited(int exitCode, String stdout, String stderr) {
    return new ProgramResult(exitCode, false, false, stdout, stderr);
  }

  boolean succeeded() {
    return !timedOut && exitCode == 0;
  }

  /** What went wrong, in one line that is fit for a caller. */
  String words(ProgramCommand command) {
    if (timedOut) {
      return command.program()
          + " did not end in time and was killed"
          + (stillRunning ? ", but the kernel still holds it" : "");
    }
    StringBuilder line = new StringBuilder();
    stderr
        .strip()
        .codePoints()
        .limit(LONGEST_WORDS)
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(line::appendCodePoint);
    return command.program()
        + " answered "
        + exitCode
        + (line.isEmpty() ? "" : " and said: " + line);
  }
}
