package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.ProbeResult;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file systems in images: made once (rule K1), checked before each mount, given an UUID of
 * their own if they are copies, and grown to the size of their volume. Each step can be done again
 * after a crash; the record says what is still to do.
 */
final class ImageFileSystems {
  private static final Logger log = LoggerFactory.getLogger(ImageFileSystems.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Filesystems filesystems;
  private final Updates updates;
  private final Duration patience;

  /** Where records are changed. */
  @FunctionalInterface
  interface Updates {
    Record update(String id, UnaryOperator<Record> change);
  }

  ImageFileSystems(Filesystems filesystems, Updates updates) {
    this(filesystems, updates, PATIENCE);
  }

  /**
   * @param patience how long to wait for other mount namespaces
   */
  ImageFileSystems(Filesystems filesystems, Updates updates, Duration patience) {
    this.filesystems = filesystems;
    this.updates = updates;
    this.patience = patience;
  }

  /**
   * Makes the file system of a new volume, in a file that is not committed yet.
   *
   * @throws IOException if there is no room for it
   */
  void make(Path file, Record draft) throws IOException {
    try {
      filesystems.make(file, type(draft), true);
    } catch (CsiException e) {
      // mkfs has one exit code for all, and says this in the C library's words.
      if (e.getMessage().contains("No space left on device")) {
        throw new IOException(e.getMessage(), e);
      }
      throw e;
    }
  }

  /**
   * Makes the device fit to be mounted. Nobody uses it.
   *
   * @param staging where nothing is mounted; for the one case that needs a mount
   * @return the volume with its record as it is now
   */
  BackedVolume prepare(BackedVolume volume, Path device, Path staging, Mounter mounter) {
    Record record = volume.record();
    FileSystemType type = type(record);
    ProbeResult there = filesystems.probe(device);
    switch (there) {
      // Refused unless the record says that there never was one.
      case ProbeResult.Blank blank ->
          filesystems.make(device, type, !record.getFileSystem().getFormatted());
      case ProbeResult.Found found -> {
        if (!found.typeName().equals(type.typeName())) {
          throw CsiException.failedPrecondition(
              "the image holds "
                  + found.typeName()
                  + ", but the volume is one of "
                  + record.getFileSystem().getType());
        }
        makeUsable(record, device, staging, mounter);
      }
      case ProbeResult.Unknown unknown ->
          throw CsiException.failedPrecondition(
              "the image holds no file system that can be mounted: " + unknown.reason());
    }
    // An xfs that was there grows after the mount.
    boolean grown = type == FileSystemType.EXT4 || there instanceof ProbeResult.Blank;
    return new BackedVolume(
        change(
            record,
            fileSystem -> {
              fileSystem.setFormatted(true).setForeignUuid(false);
              if (grown) {
                fileSystem.setGrownToBytes(record.getSizeBytes());
              }
            }),
        volume.data());
  }

  private void makeUsable(Record record, Path device, Path staging, Mounter mounter) {
    FileSystemType type = type(record);
    filesystems.check(device, type);
    if (record.getFileSystem().getForeignUuid()) {
      renewUuid(device, type, staging, mounter);
    }
    if (type == FileSystemType.EXT4 && isSmaller(record)) {
      filesystems.growUnmounted(device, type);
    }
  }

  private void renewUuid(Path device, FileSystemType type, Path staging, Mounter mounter) {
    if (isRenewed(device, type)) {
      return;
    }
    // A mount replays the log; the kernel takes no second one of the same UUID without nouuid.
    mounter.mount(device.toString(), staging, type.typeName(), List.of("nouuid"));
    mounter.unmount(staging);
    long end = System.nanoTime() + patience.toNanos();
    while (!isRenewed(device, type)) {
      // As where a container just starts: its mount namespace begins with a copy of all mounts,
      // and the log is clean when the last of them is gone.
      if (System.nanoTime() > end) {
        throw CsiException.unavailable(
            "the xfs has the UUID of what it was copied from and can't get its own: its log is in"
                + " use, as if it were still mounted in another mount namespace of this node;"
                + " repeat the call",
            null);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.unavailable("the driver ends before the xfs has its UUID", e);
    }
  }

  /** False if the log of an xfs has to be replayed first. */
  private boolean isRenewed(Path device, FileSystemType type) {
    try {
      filesystems.renewUuid(device, type);
      return true;
    } catch (CsiException e) {
      if (e.code() != Status.Code.FAILED_PRECONDITION || type != FileSystemType.XFS) {
        throw e;
      }
      return false;
    }
  }

  /** Grows what grows only while it is mounted. */
  void growAfterMount(BackedVolume volume, Path device, Path mountPoint) {
    if (type(volume.record()) == FileSystemType.XFS) {
      growMounted(volume, device, mountPoint);
    }
  }

  /**
   * Makes a mounted file system as large as its device.
   *
   * @throws CsiException FAILED_PRECONDITION if an ext4 can't grow while it is mounted, for which
   *     the process needs CAP_SYS_RESOURCE: it then grows when the volume is staged next
   */
  void growMounted(BackedVolume volume, Path device, Path mountPoint) {
    Record record = volume.record();
    if (!isSmaller(record)) {
      return;
    }
    try {
      filesystems.grow(device, mountPoint, type(record));
    } catch (CsiException e) {
      if (type(record) == FileSystemType.EXT4) {
        log.info("{} grows when its volume is staged next: {}", device, e.getMessage());
        throw CsiException.failedPrecondition(
            "the file system can't grow now, but does when the volume is staged next, after its"
                + " pods have ended: "
                + e.getMessage());
      }
      throw e;
    }
    change(record, fileSystem -> fileSystem.setGrownToBytes(record.getSizeBytes()));
  }

  private static boolean isSmaller(Record record) {
    return record.getFileSystem().getGrownToBytes() < record.getSizeBytes();
  }

  private Record change(Record record, java.util.function.Consumer<ImageFileSystem.Builder> edit) {
    try {
      return updates.update(
          record.getId(),
          current -> {
            Record.Builder next = current.toBuilder();
            edit.accept(next.getFileSystemBuilder());
            return next.build();
          });
    } catch (CsiException e) {
      // Never RESOURCE_EXHAUSTED from a node call: kubelet then stays unsure for ever.
      throw e.code() == Status.Code.RESOURCE_EXHAUSTED
          ? CsiException.internal(e.getMessage(), e)
          : e;
    }
  }

  private static FileSystemType type(Record record) {
    return FileSystemType.of(record.getFileSystem().getType());
  }
}
