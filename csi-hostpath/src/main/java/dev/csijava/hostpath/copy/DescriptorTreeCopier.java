package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Copies by descriptor, so that a workload that swaps a directory for a link meanwhile gets nothing
 * out of it (rule K2), and all that Linux keeps with a file comes along (rule K12): owners, modes
 * with set-id bits, ACLs and every other extended attribute, hard links, links and special files
 * with their own attributes, and times to the nanosecond. Blocks are shared where the file system
 * can, else holes stay holes.
 *
 * <p>What an entry can't have on the copy's file system is left out; any other error ends the copy.
 * What was written before the copy begins is in it; what is written meanwhile may be or not.
 */
public final class DescriptorTreeCopier implements TreeCopier {
  private static final int OWNER_ONLY = 0700;

  private final boolean ignoreFailedRead;

  /** One that fails at the first thing that can't be read. */
  public DescriptorTreeCopier() {
    this(false);
  }

  private DescriptorTreeCopier(boolean ignoreFailedRead) {
    this.ignoreFailedRead = ignoreFailedRead;
  }

  @Override
  public TreeCopier ignoringFailedReads() {
    return new DescriptorTreeCopier(true);
  }

  @Override
  public void copy(Path from, Path to) throws IOException {
    FileName name = FileName.last(to);
    try (OpenDirectory folder = OpenDirectory.parentOf(to)) {
      OpenDirectory source = OpenDirectory.at(from);
      OpenDirectory target;
      try {
        folder.makeDirectory(name, OWNER_ONLY);
        target = folder.directory(name);
      } catch (LinuxException e) {
        source.close();
        throw e;
      }
      try (CopyFrame root = new CopyFrame(FileName.last(from), source, target);
          TreeCopy copy = new TreeCopy(target, ignoreFailedRead, CopyProgress.of(from))) {
        copy.run(root);
      }
      // Opened before anything was written, so this hears of every write that failed.
      folder.syncFileSystem();
    } catch (LinuxException e) {
      throw new IOException("could not copy " + from + ": " + e.getMessage(), e);
    }
  }

  @Override
  public boolean isUnchangedSince(Path directory, Instant moment) throws IOException {
    try {
      return TreeChanges.isNoneSince(directory, moment);
    } catch (LinuxException e) {
      throw new IOException("could not look through " + directory + ": " + e.getMessage(), e);
    }
  }
}
