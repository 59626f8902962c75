package dev.csijava.hostpath;

import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.Freezer;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.nativeio.FileSystemFreeze;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The real machine, but a test is asked at each cut of an image, block file or directory. */
final class CutMachine {
  /** Does nothing. */
  static final AtCut GOING_ON = from -> {};

  private final AtomicReference<AtCut> atCut = new AtomicReference<>(GOING_ON);
  private final AtomicInteger flushes = new AtomicInteger();
  private final FileCopier files;

  /** By these means, for the rest. */
  CutMachine(FileCopier files) {
    this.files = files;
  }

  /** What happens when a source is about to be copied: it may wait, look or fail. */
  @FunctionalInterface
  interface AtCut {
    void reached(Path from) throws IOException;
  }

  /** How often a whole file system was written to the disk. */
  int flushes() {
    return flushes.get();
  }

  void atCut(AtCut next) {
    atCut.set(next);
  }

  HostpathDriver open(HostpathSettings settings) throws IOException {
    Host real = Host.real();
    return HostpathDriver.open(
        settings,
        new Host(
            real.disk(),
            real.mounter(),
            real.mounts(),
            real.usage(),
            new WatchedTrees(real.copier()),
            new WatchedFiles(),
            real.loops(),
            real.filesystems(),
            real.steps(),
            real.clock()));
  }

  /** Whether the file system that is mounted here is frozen; leaves it as it is. */
  static boolean isFrozen(Path mountPoint) throws IOException {
    if (FileSystemFreeze.freeze(mountPoint)) {
      boolean _ = FileSystemFreeze.thaw(mountPoint);
      return false;
    }
    return true;
  }

  private final class WatchedTrees implements TreeCopier {
    private final TreeCopier trees;

    WatchedTrees(TreeCopier trees) {
      this.trees = trees;
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
      atCut.get().reached(from);
      trees.copy(from, to);
    }

    @Override
    public boolean isUnchangedSince(Path directory, Instant moment) throws IOException {
      return trees.isUnchangedSince(directory, moment);
    }
  }

  private final class WatchedFiles implements FileCopier {
    @Override
    public void copy(Path from, Path to, Runnable afterCut) throws IOException {
      atCut.get().reached(from);
      files.copy(from, to, afterCut);
    }

    @Override
    public void setSize(Path file, long bytes) throws IOException {
      files.setSize(file, bytes);
    }

    @Override
    public void flush(Path mountPoint) throws IOException {
      flushes.incrementAndGet();
      files.flush(mountPoint);
    }

    @Override
    public Optional<Freezer> freezer() {
      return files.freezer();
    }
  }
}
