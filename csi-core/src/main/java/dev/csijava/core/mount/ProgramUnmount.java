package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;

/**
 * Unmounts by umount(8) until the table shows it. {@code -i}: the kernel unmounts by itself, while
 * a helper may talk to a server that is gone. {@code -c}: the path is not looked at, so that a dead
 * file system does not hang the program. Never lazy, never forced.
 */
final class ProgramUnmount {
  /** Paths handed to one run; a deep stack else costs a process a mount. */
  private static final int AT_ONCE = 32;

  private final ProgramRunner programs;
  private final MountPlace.Tables tables;
  private final MountHolders holders;
  private final Duration deadline;

  ProgramUnmount(
      ProgramRunner programs, MountPlace.Tables tables, MountHolders holders, Duration deadline) {
    this.programs = programs;
    this.tables = tables;
    this.holders = holders;
    this.deadline = deadline;
  }

  /**
   * Leaves at most so many mounts at the path.
   *
   * @throws CsiException FAILED_PRECONDITION if one is in use or hidden; UNAVAILABLE if the program
   *     hangs or the table can't be read; INTERNAL otherwise
   */
  void downTo(int most, Path target) {
    long end = System.nanoTime() + deadline.toNanos();
    MountPlace place = MountPlace.find(target, tables);
    while (place.stack().size() > most) {
      int before = place.stack().size();
      ProgramCommand command = command(place.path(), Math.min(before - most, AT_ONCE));
      ProgramResult result;
      try {
        result = programs.run(command, Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      } catch (IOException e) {
        throw CsiException.internal("umount can't be run: " + e.getMessage(), e);
      }
      place = MountPlace.find(place.path(), tables);
      if (place.stack().size() >= before || (result.timedOut() && place.stack().size() > most)) {
        throw failure(place, command, result);
      }
    }
    if (most == 0) {
      place.table().requireNothingHidden(place.path());
    }
  }

  private static ProgramCommand command(Path path, int times) {
    return ProgramCommand.of("umount", "-n", "-c", "-i", "--")
        .with(Collections.nCopies(times, RawPaths.argument(path)));
  }

  private CsiException failure(MountPlace place, ProgramCommand command, ProgramResult result) {
    if (result.timedOut()) {
      return CsiException.unavailable(result.words(command), null);
    }
    if (result.succeeded()) {
      return CsiException.internal("umount reported success, but the mount is still there", null);
    }
    if (result.stderr().contains("busy")) {
      return CsiException.failedPrecondition(holders.sentence(place.path(), place.table()));
    }
    return CsiException.internal(result.words(command), null);
  }
}
