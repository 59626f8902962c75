package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Very many volumes in no time: by the driver's own store, but without waiting for the disk. */
public final class StoredVolumes {
  private StoredVolumes() {}

  /**
   * Makes directories named {@code volume N}; no driver is running.
   *
   * @param stateDirectory of the driver
   * @param from the first number
   * @param to the first number that is not made
   * @return their ids, in this order
   */
  public static List<String> make(Path stateDirectory, int from, int to) throws IOException {
    List<String> ids = new ArrayList<>();
    try (StateDirectory state =
        StateDirectory.open(
            stateDirectory, new HastyDisk(), new KernelMounts(), Steps.NONE, Clock.systemUTC())) {
      for (int i = from; i < to; i++) {
        String name = "volume " + i;
        Record draft =
            Record.newBuilder()
                .setName(name)
                .setSizeBytes(Requests.SIZE)
                .setBacking(Backing.DIRECTORY)
                .setVolume(VolumeDetails.newBuilder().setRequest(Requests.create(name)))
                .build();
        ids.add(state.volumes().create(draft, Files::createDirectory).getId());
      }
    }
    return ids;
  }

  /** A disk that promises nothing. */
  private static final class HastyDisk implements Disk {
    @Override
    public void write(Path file, byte[] content) throws IOException {
      Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void syncFolder(Path folder) {}

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
