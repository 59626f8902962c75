package dev.csijava.hostpath.removal;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.RenameRule;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the trash folder by descriptor: no link is followed, no mount is crossed, and neither
 * stack nor path nor the number of descriptors grows with the tree. A directory that is not empty
 * is renamed up into the trash folder, where it waits for its turn.
 */
final class DescriptorRemover implements Remover {
  private static final Logger log = LoggerFactory.getLogger(DescriptorRemover.class);
  private static final int MOST_SAID = 20;
  private static final int MOST_REMEMBERED = 1_000;

  private final Path trash;
  private final BooleanSupplier stopped;
  private final Set<FileName> said = new HashSet<>();

  /** What was moved up just now, so that a deep tree needs no look at the folder for each level. */
  private final Deque<FileName> lifted = new ArrayDeque<>();

  private long lifts;

  DescriptorRemover(Path trash, BooleanSupplier stopped) {
    this.trash = trash;
    this.stopped = stopped;
  }

  @Override
  public void empty() {
    try (OpenDirectory folder = OpenDirectory.at(trash)) {
      while (!stopped.getAsBoolean() && pass(folder) > 0) {
        // Directories were moved up, so the next pass finds more.
      }
    } catch (LinuxException e) {
      log.warn("could not empty {}; the next start tries again: {}", trash, e.getMessage());
    }
  }

  /** Answers how many entries are not where they were any more. */
  private long pass(OpenDirectory folder) throws LinuxException {
    folder.rewind();
    long gone = 0;
    for (List<DirectoryEntry> some = folder.nextEntries();
        !some.isEmpty();
        some = folder.nextEntries()) {
      for (DirectoryEntry one : some) {
        if (Trash.isHeld(one.name().toString())) {
          continue;
        }
        gone += drop(folder, one, folder);
        for (FileName next = lifted.poll(); next != null; next = lifted.poll()) {
          gone += drop(folder, new DirectoryEntry(next, NodeType.DIRECTORY), folder);
        }
        if (stopped.getAsBoolean()) {
          return 0;
        }
      }
    }
    return gone;
  }

  /** Removes one entry, or moves it up; 0 if it stays where it is. */
  private long drop(OpenDirectory from, DirectoryEntry entry, OpenDirectory folder) {
    FileName name = entry.name();
    try {
      if (entry.type() != NodeType.DIRECTORY && removeFile(from, name)) {
        return 1;
      }
      if (from == folder) {
        long gone = clear(folder, name);
        return removeIfEmpty(folder, name) ? gone + 1 : gone;
      }
      if (!removeIfEmpty(from, name)) {
        lift(from, name, folder);
      }
      return 1;
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT)) {
        return 1;
      }
      if (said.size() < MOST_SAID && said.add(name)) {
        log.warn("could not remove \"{}\" from the trash; it stays: {}", name, e.getMessage());
      }
      return 0;
    }
  }

  private void lift(OpenDirectory from, FileName name, OpenDirectory folder) throws LinuxException {
    FileName above = FileName.of("lifted-" + Trash.uniqueSuffix() + "-" + lifts++);
    from.rename(name, folder, above, RenameRule.REPLACE);
    if (lifted.size() < MOST_REMEMBERED) {
      lifted.add(above);
    }
  }

  private long clear(OpenDirectory folder, FileName name) throws LinuxException {
    long gone = 0;
    try (OpenDirectory inner = folder.directory(name)) {
      for (List<DirectoryEntry> some = inner.nextEntries();
          !some.isEmpty();
          some = inner.nextEntries()) {
        for (DirectoryEntry one : some) {
          if (stopped.getAsBoolean()) {
            return gone;
          }
          gone += drop(inner, one, folder);
        }
      }
    }
    return gone;
  }

  /** Answers false for a directory. */
  private static boolean removeFile(OpenDirectory from, FileName name) throws LinuxException {
    try {
      from.removeFile(name);
      return true;
    } catch (LinuxException e) {
      if (e.is(Errno.EISDIR)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean removeIfEmpty(OpenDirectory from, FileName name) throws LinuxException {
    try {
      from.removeDirectory(name);
      return true;
    } catch (LinuxException e) {
      if (e.is(Errno.ENOTEMPTY, Errno.EEXIST)) {
        return false;
      }
      throw e;
    }
  }
}
