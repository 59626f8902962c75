package dev.csijava.hostpath.testing;

import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** All that backings need of a machine, without one. */
public final class FakeMachine {
  private final FakeKernel kernel;
  private final FakeLoops loops;
  private final FakeFilesystems filesystems = new FakeFilesystems();
  private final Disk disk;

  /**
   * @param dev an existing directory for device nodes
   */
  public FakeMachine(FakeKernel kernel, Path dev, Disk disk) {
    this.kernel = kernel;
    this.loops = new FakeLoops(dev, kernel);
    this.disk = disk;
  }

  /** Its loop devices. */
  public FakeLoops loops() {
    return loops;
  }

  /** Its file systems. */
  public FakeFilesystems filesystems() {
    return filesystems;
  }

  /** Copies files. */
  public FileCopier fileCopier() {
    return new PlainFileCopier();
  }

  /** Measures, always the same. */
  public UsageReader usage() {
    return new FixedUsage(loops);
  }

  /** The backings of volumes on it. */
  public Backings backings(ObjectStore volumes) {
    return new Backings(
        new Backings.Machine(
            disk,
            new PlainTreeCopier(),
            new PlainFileCopier(),
            kernel,
            kernel,
            new FixedUsage(loops),
            loops,
            filesystems,
            node -> "used by process 4711 (dd)"),
        volumes);
  }

  private record PlainFileCopier() implements FileCopier {
    @Override
    public void copy(Path from, Path to, Runnable afterCut) throws IOException {
      Files.copy(from, to);
      afterCut.run();
    }

    @Override
    public void flush(Path mountPoint) {}
  }

  private record FixedUsage(FakeLoops loops) implements UsageReader {
    @Override
    public VolumeUsage ofFileSystem(Path path) {
      return new VolumeUsage(
          new VolumeUsage.Amount(10, 6, 4), Optional.of(new VolumeUsage.Amount(3, 2, 1)));
    }

    @Override
    public VolumeUsage ofBlockDevice(Path path) {
      return VolumeUsage.ofBlock(
          loops.files().stream()
              .filter(file -> loops.find(file).orElseThrow().node().equals(path))
              .mapToLong(loops::sizeOf)
              .findFirst()
              .orElse(1));
    }
  }
}
