package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenNode;
import dev.csijava.nativeio.RenameRule;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies with several names. The first copy of each is kept in a folder of the new tree until its
 * last name is made, so that neither memory nor descriptors grow with their number; the folder goes
 * at the end.
 */
final class HardLinks implements AutoCloseable {
  private static final int OWNER_ONLY = 0700;

  private final OpenDirectory root;
  private final FileName folderName = FileName.of(".csi-hostpath-links-" + UUID.randomUUID());
  private @Nullable OpenDirectory folder;

  /**
   * @param root of the new tree; belongs to this object from now on
   */
  HardLinks(OpenDirectory root) {
    this.root = root;
  }

  /** Makes a copy with this name in this directory. */
  @FunctionalInterface
  interface Maker {
    void make(OpenDirectory target, FileName name) throws IOException;
  }

  /** Gives the copy of this source one more name; makes it if this is the first. */
  void place(NodeStatus source, OpenDirectory target, FileName name, Maker maker)
      throws IOException {
    FileName key = FileName.of(source.fileSystem() + "-" + Long.toUnsignedString(source.inode()));
    OpenDirectory kept = folder();
    try (OpenNode copy = firstCopy(kept, key, maker)) {
      long placed = copy.status().links() - 1;
      if (placed + 1 >= source.links()) {
        kept.rename(key, target, name, RenameRule.REPLACE);
      } else {
        target.addName(name, copy);
      }
    }
  }

  private static OpenNode firstCopy(OpenDirectory kept, FileName key, Maker maker)
      throws IOException {
    try {
      return kept.entry(key);
    } catch (LinuxException e) {
      if (!e.is(Errno.ENOENT)) {
        throw e;
      }
    }
    maker.make(kept, key);
    return kept.entry(key);
  }

  private OpenDirectory folder() throws LinuxException {
    if (folder == null) {
      root.makeDirectory(folderName, OWNER_ONLY);
      folder = root.directory(folderName);
    }
    return folder;
  }

  /** Removes what is kept: names that lie outside of the tree never came. */
  void finish() throws LinuxException {
    if (folder == null) {
      return;
    }
    for (List<DirectoryEntry> some = folder.nextEntries();
        !some.isEmpty();
        some = folder.nextEntries()) {
      for (DirectoryEntry one : some) {
        folder.removeFile(one.name());
      }
      folder.rewind();
    }
    root.removeDirectory(folderName);
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
    }
    root.close();
  }
}
