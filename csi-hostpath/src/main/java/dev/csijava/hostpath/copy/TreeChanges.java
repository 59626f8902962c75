package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a tree for anything that was changed since a moment, by the times of change, which
 * no workload can set: a file has one for content and attributes, a directory for the names in it.
 * By descriptor and without recursion, as the copy goes; ends at the first change.
 */
final class TreeChanges implements AutoCloseable {
  private static final int MOST_OPEN = 32;

  private final Instant moment;
  private final Deque<Level> stack = new ArrayDeque<>();

  private TreeChanges(Instant moment) {
    this.moment = moment;
  }

  /** Whether nothing in a directory was changed at or after a moment. */
  static boolean isNoneSince(Path directory, Instant moment) throws LinuxException {
    try (TreeChanges search = new TreeChanges(moment)) {
      return search.findsNone(directory);
    }
  }

  /** A directory that is looked through; far up in a deep tree it is parked. */
  private static final class Level {
    private final NodeStatus status;
    private final Deque<FileName> left = new ArrayDeque<>();
    private @Nullable OpenDirectory directory;

    Level(NodeStatus status, OpenDirectory directory) {
      this.status = status;
      this.directory = directory;
    }

    OpenDirectory directory() {
      if (directory == null) {
        throw new IllegalStateException("the directory is parked");
      }
      return directory;
    }

    void close() {
      if (directory != null) {
        directory.close();
        directory = null;
      }
    }
  }

  private boolean findsNone(Path directory) throws LinuxException {
    boolean none = enter(OpenDirectory.at(directory));
    while (none && !stack.isEmpty()) {
      FileName next = stack.getFirst().left.poll();
      none = next == null ? leave() : descend(stack.getFirst().directory(), next);
    }
    return none;
  }

  private boolean descend(OpenDirectory parent, FileName name) throws LinuxException {
    OpenDirectory child;
    try {
      child = parent.directory(name);
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP)) {
        return false;
      }
      throw e;
    }
    return enter(child);
  }

  /** Answers false at a change. */
  private boolean enter(OpenDirectory directory) throws LinuxException {
    Level level;
    try {
      level = new Level(directory.status(), directory);
    } catch (LinuxException e) {
      directory.close();
      throw e;
    }
    stack.push(level);
    if (stack.size() > MOST_OPEN) {
      Iterator<Level> down = stack.iterator();
      for (int i = 0; i < MOST_OPEN; i++) {
        down.next();
      }
      down.next().close();
    }
    return isOld(level.status) && areOld(level);
  }

  private boolean areOld(Level level) throws LinuxException {
    OpenDirectory directory = level.directory();
    for (List<DirectoryEntry> some = directory.nextEntries();
        !some.isEmpty();
        some = directory.nextEntries()) {
      for (DirectoryEntry one : some) {
        if (!isOld(level, one.name())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isOld(Level level, FileName name) throws LinuxException {
    try (OpenNode node = level.directory().entry(name)) {
      NodeStatus status = node.status();
      if (status.type() == NodeType.DIRECTORY) {
        level.left.add(name);
      }
      return isOld(status);
    } catch (LinuxException e) {
      if (e.is(Errno.EXDEV)) {
        // Something else is mounted there, which a copy does not enter either.
        return true;
      }
      if (e.is(Errno.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  private boolean isOld(NodeStatus status) {
    return status.changed().isBefore(moment);
  }

  /** Answers false if the directory was moved elsewhere. */
  private boolean leave() throws LinuxException {
    Level left = stack.pop();
    try {
      Level parent = stack.peek();
      if (parent == null || parent.directory != null) {
        return true;
      }
      parent.directory = left.directory().parent();
      return parent.directory().status().sameNode(parent.status);
    } finally {
      left.close();
    }
  }

  @Override
  public void close() {
    stack.forEach(Level::close);
  }
}
