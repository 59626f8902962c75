package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One copy of one tree, used once: depth first, without recursion, with as many descriptors for a
 * tree 100,000 levels deep as for one of fifty. A directory gets its attributes when all in it is
 * there.
 */
final class TreeCopy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TreeCopy.class);

  private static final int MOST_OPEN = 32;
  private static final int OWNER_ONLY = 0700;
  private static final int MOUNT_POINT_MODE = 0755;
  private static final int NAMES_IN_WORDS = 20;

  private final boolean ignoreFailedRead;
  private final CopyProgress progress;
  private final AttributeCopy attributes = new AttributeCopy();
  private final HardLinks links;
  private final EntryCopy entries;
  private final Deque<CopyFrame> stack = new ArrayDeque<>();

  /**
   * @param root the tree to be, empty; stays the caller's
   */
  TreeCopy(OpenDirectory root, boolean ignoreFailedRead, CopyProgress progress)
      throws LinuxException {
    this.ignoreFailedRead = ignoreFailedRead;
    this.progress = progress;
    this.links = new HardLinks(root.openDirectory());
    this.entries = new EntryCopy(new ContentCopy(progress), attributes, links);
  }

  void run(CopyFrame root) throws IOException {
    AttributeCopy.clearInherited(root.target());
    enter(root);
    while (!stack.isEmpty()) {
      CopyFrame top = stack.getFirst();
      FileName next = top.left().poll();
      if (next != null) {
        descend(top, next);
      } else {
        leave(top);
      }
    }
  }

  private void enter(CopyFrame frame) throws IOException {
    stack.push(frame);
    if (stack.size() > MOST_OPEN) {
      parkOne();
    }
    readEntries(frame);
  }

  private void parkOne() {
    Iterator<CopyFrame> down = stack.iterator();
    for (int i = 0; i < MOST_OPEN; i++) {
      down.next();
    }
    down.next().park();
  }

  private void leave(CopyFrame top) throws IOException {
    if (stack.size() == 1) {
      links.finish();
    }
    failing(top.name(), () -> attributes.copy(top.source(), top.status(), top.target()));
    stack.pop();
    try (top) {
      if (!stack.isEmpty()) {
        stack.getFirst().unparkFrom(top);
      }
    }
  }

  /** Copies all but directories, and remembers those. */
  private void readEntries(CopyFrame frame) throws IOException {
    try {
      for (List<DirectoryEntry> some = frame.source().nextEntries();
          !some.isEmpty();
          some = frame.source().nextEntries()) {
        for (DirectoryEntry one : some) {
          if (one.type() == NodeType.DIRECTORY) {
            frame.left().add(one.name());
          } else {
            failing(one.name(), () -> entry(frame, one.name()));
          }
        }
      }
    } catch (LinuxException e) {
      tolerate(frame.name(), e);
    }
  }

  private void entry(CopyFrame frame, FileName name) throws IOException {
    try (OpenNode node = frame.source().entry(name)) {
      NodeStatus status = node.status();
      if (status.type() == NodeType.DIRECTORY) {
        frame.left().add(name);
        return;
      }
      progress.entry();
      entries.copy(node, status, frame.target(), name);
    } catch (LinuxException e) {
      if (e.is(Errno.EXDEV)) {
        log.warn("{} is a mount point, whose file is not copied", words(name));
      } else if (!e.is(Errno.ENOENT)) {
        throw e;
      }
    }
  }

  private void descend(CopyFrame top, FileName name) throws IOException {
    AtomicReference<@Nullable CopyFrame> child = new AtomicReference<>();
    failing(name, () -> child.set(open(top, name)));
    CopyFrame opened = child.get();
    if (opened != null) {
      progress.entry();
      enter(opened);
    }
  }

  private @Nullable CopyFrame open(CopyFrame top, FileName name) throws IOException {
    OpenDirectory source;
    try (OpenNode node = top.source().entry(name)) {
      NodeStatus status = node.status();
      if (status.type() != NodeType.DIRECTORY) {
        // Swapped since its name was read: copied as what it is now.
        entries.copy(node, status, top.target(), name);
        return null;
      }
      source = node.openDirectory();
    } catch (LinuxException e) {
      if (e.is(Errno.EXDEV)) {
        top.target().makeDirectory(name, MOUNT_POINT_MODE);
        log.warn("{} is a mount point, and an empty directory in the copy", words(name));
        return null;
      }
      if (e.is(Errno.ENOENT)) {
        return null;
      }
      throw e;
    }
    try {
      top.target().makeDirectory(name, OWNER_ONLY);
      return new CopyFrame(name, source, top.target().directory(name));
    } catch (LinuxException e) {
      source.close();
      if (e.is(Errno.EEXIST)) {
        return null;
      }
      throw e;
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /** Names what could not be copied, or leaves it out. */
  private void failing(FileName name, Step step) throws IOException {
    try {
      step.run();
    } catch (LinuxException e) {
      tolerate(name, e);
    }
  }

  private void tolerate(FileName name, LinuxException e) throws IOException {
    // A code that a read may fail with, but no write that is not for want of room.
    if (!ignoreFailedRead || !e.is(Errno.EACCES, Errno.EPERM, Errno.EIO)) {
      throw new IOException("could not copy " + words(name) + ": " + e.getMessage(), e);
    }
    log.warn("left out of the copy, as was asked for: {}: {}", words(name), e.getMessage());
  }

  /** For people: the last names on the way, in quotes and on one line. */
  private String words(FileName name) {
    StringBuilder words = new StringBuilder();
    Iterator<CopyFrame> up = stack.iterator();
    for (int i = 0; i < NAMES_IN_WORDS && up.hasNext(); i++) {
      CopyFrame one = up.next();
      if (up.hasNext()) {
        words.insert(0, one.name() + "/");
      } else if (one.name().equals(name)) {
        return "the directory itself";
      }
    }
    return "\"" + (words.toString() + name).replaceAll("\\p{Cntrl}", "?") + "\"";
  }

  @Override
  public void close() {
    stack.forEach(CopyFrame::close);
    links.close();
  }
}
