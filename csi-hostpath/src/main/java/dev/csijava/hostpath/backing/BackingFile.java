package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The sparse file below an image or a raw block volume.
 *
 * <p>No device is ever made larger than the size that the record has. So what the file has beyond
 * that size is what a growth left behind that was never committed, and nobody can have written
 * there: it may be cut off.
 */
final class BackingFile {
  /** As long as a call waits for the locks of the framework. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private final FileCopier copier;
  private final AttachedFiles attached;
  private final Freezes freezes;
  private final CutLocks locks = new CutLocks(PATIENCE);

  BackingFile(FileCopier copier, AttachedFiles attached, Freezes freezes) {
    this.copier = copier;
    this.attached = attached;
    this.freezes = freezes;
  }

  /** Makes a file of zeros, all of it on disk when this returns. */
  void make(Path file, long bytes) throws IOException {
    var onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), onlyOwner)
        .close();
    setSize(file, bytes);
  }

  /**
   * Copies a file and gives the copy a size of its own, not below that of the source's record. What
   * was written to the source before this call is in the copy (B130). A file system that is mounted
   * of it is frozen until the copy has all of it.
   *
   * @throws CsiException ABORTED if the source is just being checked or formatted
   */
  void copy(Path from, Path file, long bytes) throws IOException {
    try (CutHold held = hold(from)) {
      flushDevice(from);
      copier.copy(from, file, held::close);
    }
    setSize(file, bytes);
  }

  /**
   * Keeps a file, and what is mounted of it, as it is; copies are allowed.
   *
   * @throws CsiException ABORTED if it is just being checked or formatted
   */
  CutHold hold(Path file) throws IOException {
    CutHold lock = locks.forCopy(file);
    boolean done = false;
    try {
      CutHold held = CutHold.all(List.of(lock, freezes.hold(file)));
      done = true;
      return held;
    } finally {
      if (!done) {
        lock.close();
      }
    }
  }

  /**
   * Whether nothing can write to a file that is held: what is mounted of it is frozen, where it
   * could be.
   */
  boolean isHeldStill(Path file) {
    return freezes.isFrozen(file) || attached.fileSystemMounts(file).isEmpty();
  }

  /**
   * Keeps copies of a file away while it is changed without being mounted.
   *
   * @throws CsiException ABORTED if it is just being copied
   */
  CutHold holdForChange(Path file) {
    return locks.forChange(file);
  }

  /** Lets a file system go on that an earlier process left frozen. */
  void thawLeft(Path file) {
    freezes.thawLeftOf(file);
  }

  /** Writes to the file what the device in front of it still has in memory. */
  void flushDevice(Path file) throws IOException {
    Optional<LoopDevice> device = attached.find(file);
    if (device.isEmpty() || device.get().readOnly() || !attached.fileSystemMounts(file).isEmpty()) {
      return;
    }
    try {
      sync(device.get().node());
    } catch (IOException e) {
      // Detached meanwhile, which flushes it.
      if (attached.find(file).isPresent()) {
        throw e;
      }
    }
  }

  /** Sets the size; what is new reads as zeros and takes no room. On disk when this returns. */
  void setSize(Path file, long bytes) throws IOException {
    copier.setSize(file, bytes);
  }

  /** Writes to the disk what somebody else wrote into a file or device. */
  void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Leaves the file with exactly the size of the record, before a device is made of it.
   *
   * @throws CsiException FAILED_PRECONDITION if it is missing or shorter; INTERNAL if it can't be
   *     read
   */
  void fit(BackedVolume volume) {
    faults(volume).stream()
        .findFirst()
        .ifPresent(
            fault -> {
              throw CsiException.failedPrecondition(fault.message());
            });
    try {
      if (Files.size(volume.data()) > volume.bytes()) {
        setSize(volume.data(), volume.bytes());
      }
    } catch (IOException e) {
      throw CsiException.internal("the file of the volume can't be read or cut", e);
    }
  }

  List<VolumeFault> faults(BackedVolume volume) {
    if (!Files.isRegularFile(volume.data(), LinkOption.NOFOLLOW_LINKS)) {
      return List.of(
          new VolumeFault(
              VolumeHealthErrorType.DATA_LOSS, "FileMissing", "the file of the volume is gone"));
    }
    try {
      long size = Files.size(volume.data());
      return size >= volume.bytes()
          ? List.of()
          : List.of(
              new VolumeFault(
                  VolumeHealthErrorType.DATA_LOSS,
                  "FileCut",
                  "the file of the volume has " + size + " bytes, not " + volume.bytes()));
    } catch (IOException e) {
      return List.of(
          new VolumeFault(
              VolumeHealthErrorType.INACCESSIBLE, "IoError", "the file can't be looked at"));
    }
  }
}
