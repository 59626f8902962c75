package dev.csijava.benchmarks;

import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A state directory of the reference driver with volumes in it, as provisioner asks for them. Made
 * without waiting for the disk; what is measured afterwards does wait.
 */
public final class FilledState implements AutoCloseable {
  private static final long GIB = 1L << 30;

  private final Path directory;

  private FilledState(Path directory) {
    this.directory = directory;
  }

  /** In a new directory for temporary files, which is removed when this is closed. */
  public static FilledState make(int volumes) throws IOException {
    return filled(Files.createTempDirectory("csi-benchmark").toRealPath(), volumes);
  }

  /** The same in a new directory below another one, absolute. */
  static FilledState makeBelow(Path parent, int volumes) throws IOException {
    return filled(Files.createTempDirectory(parent, "csi-benchmark"), volumes);
  }

  private static FilledState filled(Path directory, int volumes) throws IOException {
    fill(directory, volumes);
    return new FilledState(directory);
  }

  /** Fills a state directory that nobody uses, and writes it to the disk at the end. */
  public static void fill(Path directory, int volumes) throws IOException {
    try (StateDirectory state = open(directory, new HurriedDisk())) {
      for (int i = 0; i < volumes; i++) {
        create(state.volumes(), "filled-" + i);
      }
    }
    sync(directory);
  }

  /** As the driver opens it. */
  StateDirectory open() throws IOException {
    return open(directory, new LocalDisk());
  }

  private static StateDirectory open(Path directory, Disk disk) throws IOException {
    Quiet.please();
    return StateDirectory.open(directory, disk, new KernelMounts(), Steps.NONE, Clock.systemUTC());
  }

  Path directory() {
    return directory;
  }

  /** A volume that is an empty directory. */
  static Record create(ObjectStore volumes, String name) {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(GIB)
            .setBacking(Backing.DIRECTORY)
            .setVolume(
                VolumeDetails.newBuilder()
                    .putContext("storage.kubernetes.io/csiProvisionerIdentity", "1-example")
                    .setRequest(
                        CreateVolumeRequest.newBuilder()
                            .setName(name)
                            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(GIB))
                            .addVolumeCapabilities(
                                VolumeCapability.newBuilder()
                                    .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                                    .setAccessMode(
                                        VolumeCapability.AccessMode.newBuilder()
                                            .setMode(
                                                VolumeCapability.AccessMode.Mode
                                                    .SINGLE_NODE_WRITER)))))
            .build();
    return volumes.create(draft, Files::createDirectory);
  }

  @Override
  public void close() throws IOException {
    delete(directory);
  }

  /** Below a directory of our own, where nothing is mounted. */
  static void delete(Path root) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(root)) {
      found = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : found) {
      Files.delete(path);
    }
  }

  private static void sync(Path directory) throws IOException {
    Programs.run(List.of("sync", "--file-system", directory.toString()));
  }

  /** Leaves it to the end that all of it is on disk. */
  private static final class HurriedDisk implements Disk {
    @Override
    public void write(Path file, byte[] content) throws IOException {
      Files.write(file, content);
    }

    @Override
    public void syncFolder(Path folder) {}

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
