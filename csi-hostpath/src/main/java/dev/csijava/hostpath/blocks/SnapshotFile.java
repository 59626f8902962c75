package dev.csijava.hostpath.blocks;

import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The file of a snapshot, open: a snapshot that is deleted meanwhile stays readable to the end. One
 * thread.
 */
interface SnapshotFile extends AutoCloseable {
  /**
   * By descriptor where this process can, else by Java alone, which knows no holes.
   *
   * @throws java.nio.file.NoSuchFileException if it is not there
   */
  static SnapshotFile open(Path path) throws IOException {
    return OpenDirectory.unavailable().isEmpty()
        ? DescriptorFile.open(path)
        : ChannelFile.open(path);
  }

  /** In bytes. */
  long size() throws IOException;

  /** Whether places on disk mean the same in both files. */
  boolean sharesPlacesWith(SnapshotFile other);

  /** What it consists of between two offsets, neither of them behind its end. */
  Runs runs(long start, long end) throws IOException;

  /** Reads so many bytes into the beginning of an array, which may be changed behind them too. */
  void read(long offset, byte[] into, int length) throws IOException;

  @Override
  void close() throws IOException;
}
