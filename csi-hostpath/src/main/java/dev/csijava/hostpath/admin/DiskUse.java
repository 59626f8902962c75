package dev.csijava.hostpath.admin;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenNode;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of the disk something takes: the blocks that are allocated, a hard link once. Workloads
 * can write there meanwhile, so it is walked by descriptor only (rule K2); and not without end, so
 * what a large tree gives is a least number.
 *
 * @param bytes allocated; -1 if it can't be found out
 * @param least whether there may be more
 */
record DiskUse(long bytes, boolean least) {
  private static final DiskUse NOT_KNOWN = new DiskUse(-1, false);
  private static final int MOST_ENTRIES = 200_000;
  private static final int DEEPEST = 100;

  /**
   * @param path absolute, of the driver's own
   */
  static DiskUse of(Path path) {
    boolean here = path.getFileSystem().equals(FileSystems.getDefault());
    if (!here || OpenDirectory.unavailable().isPresent()) {
      return NOT_KNOWN;
    }
    Walk walk = new Walk();
    try (OpenDirectory folder = OpenDirectory.parentOf(path);
        OpenNode node = folder.entry(FileName.last(path))) {
      walk.count(node.status());
      if (node.status().type() == NodeType.DIRECTORY) {
        walk.through(folder.directory(FileName.last(path)));
      }
      return new DiskUse(walk.bytes, walk.least);
    } catch (LinuxException e) {
      return NOT_KNOWN;
    }
  }

  private static final class Walk {
    private final Deque<OpenDirectory> open = new ArrayDeque<>();
    private final Deque<Deque<DirectoryEntry>> rest = new ArrayDeque<>();
    private final Set<Long> linked = new HashSet<>();
    private long bytes;
    private int entries;
    private boolean least;

    void count(NodeStatus status) {
      entries++;
      boolean again =
          status.type() != NodeType.DIRECTORY && status.links() > 1 && !linked.add(status.inode());
      bytes += again ? 0 : status.allocated();
    }

    void through(OpenDirectory root) throws LinuxException {
      try {
        enter(root);
        while (!open.isEmpty() && entries < MOST_ENTRIES) {
          step();
        }
        least |= !open.isEmpty();
      } finally {
        open.forEach(OpenDirectory::close);
      }
    }

    private void enter(OpenDirectory directory) throws LinuxException {
      open.push(directory);
      rest.push(new ArrayDeque<>(directory.nextEntries()));
    }

    private void step() throws LinuxException {
      Deque<DirectoryEntry> names = rest.element();
      if (names.isEmpty()) {
        List<DirectoryEntry> more = open.element().nextEntries();
        if (more.isEmpty()) {
          open.pop().close();
          rest.pop();
        } else {
          names.addAll(more);
        }
        return;
      }
      visit(names.pop().name());
    }

    private void visit(FileName name) throws LinuxException {
      try (OpenNode node = open.element().entry(name)) {
        NodeStatus status = node.status();
        count(status);
        if (status.type() != NodeType.DIRECTORY) {
          return;
        }
      } catch (LinuxException e) {
        // Gone meanwhile, or something is mounted there, which is not the volume's.
        return;
      }
      if (open.size() >= DEEPEST) {
        least = true;
      } else {
        enter(open.element().directory(name));
      }
    }
  }
}
