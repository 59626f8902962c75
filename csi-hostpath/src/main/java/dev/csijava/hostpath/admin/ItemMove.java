package dev.csijava.hostpath.admin;

import dev.csijava.hostpath.admin.state.ImportItem;
import dev.csijava.hostpath.admin.state.ImportStep;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.Incoming;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Brings the data of one item from its old place to the new one, and back. What is done already is
 * seen from the disk, so each may be run again after a crash at any step; nothing is ever put where
 * something is.
 */
record ItemMove(OldData old, Incoming incoming, Destruction destruction) {
  /** Ends with record and data in the folder of the item. */
  void forward(ImportItem item) throws IOException, RefusedException {
    Record record = item.getRecord();
    if (!isPut(record)) {
      incoming.put(record);
    }
    switch (item.getStep()) {
      case NO_DATA -> {}
      case MOVE -> rename(item);
      case COPY, UNPACK -> copy(item);
      case UNRECOGNIZED -> throw new RefusedException("the plan is of a newer version");
    }
    if (record.getBacking() == Backing.BLOCK) {
      grow(incoming.data(record), record.getSizeBytes());
    }
  }

  private boolean isPut(Record record) {
    try {
      incoming.verify(record);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void rename(ImportItem item) throws IOException, RefusedException {
    Path from = old.at(item.getOldName());
    Path to = incoming.data(item.getRecord());
    if (exists(from) && exists(to)) {
      throw new RefusedException(
          from + " is there again although it was moved to " + to + "; look which one is right");
    }
    if (!exists(from) && !exists(to)) {
      throw new RefusedException(from + " is gone, and is not in its new place either");
    }
    if (exists(from)) {
      move(from, to);
    }
  }

  private void copy(ImportItem item) throws IOException, RefusedException {
    Path from = old.at(item.getOldName());
    Path to = incoming.data(item.getRecord());
    if (exists(to)) {
      return;
    }
    Path making = incoming.area().resolve("making-" + item.getRecord().getFolder());
    if (exists(making)) {
      destruction.dropPending(making);
    }
    boolean directory = item.getRecord().getBacking() == Backing.DIRECTORY;
    switch (item.getStep()) {
      case UNPACK -> machine().unpacker().unpack(from, making);
      default -> {
        if (directory) {
          machine().trees().copy(from, making);
          TreeCount.requireEqual(from, making);
        } else {
          machine().files().copy(from, making);
          requireEqual(from, making);
        }
      }
    }
    move(making, to);
  }

  private static void requireEqual(Path from, Path to) throws IOException {
    if (Files.mismatch(from, to) >= 0) {
      throw new IOException("the copy of " + from + " differs from it");
    }
  }

  private AdminMachine machine() {
    return old.machine();
  }

  private void move(Path from, Path to) throws IOException {
    Disk disk = machine().disk();
    disk.rename(from, to);
    disk.syncFolder(parent(to));
    disk.syncFolder(parent(from));
  }

  private static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException(path + " has no parent");
    }
    return parent;
  }

  /** The Go driver makes files smaller than it says; what is new reads as zeros. */
  private static void grow(Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
      if (channel.size() < bytes) {
        int _ = channel.write(ByteBuffer.allocate(1), bytes - 1);
        channel.force(true);
      }
    }
  }

  /** Makes sure that the item is whole in its folder. */
  void verify(ImportItem item) throws IOException, RefusedException {
    Record record = item.getRecord();
    incoming.verify(record);
    Path data = incoming.data(record);
    boolean whole =
        switch (record.getBacking()) {
          case DIRECTORY -> Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS);
          case BLOCK ->
              Files.isRegularFile(data, LinkOption.NOFOLLOW_LINKS)
                  && Files.size(data) == record.getSizeBytes();
          // A group has no data.
          default -> !exists(data);
        };
    if (!whole) {
      throw new RefusedException(data + " is not what its record says");
    }
  }

  /** Ends with the data in its old place. What was copied or unpacked is there anyway. */
  void back(ImportItem item) throws IOException, RefusedException {
    incoming.withdraw(item.getRecord());
    if (item.getStep() != ImportStep.MOVE) {
      return;
    }
    Path from = incoming.data(item.getRecord());
    Path to = old.at(item.getOldName());
    if (exists(from)) {
      if (exists(to)) {
        throw new RefusedException(to + " is there, so " + from + " can't go back to it");
      }
      move(from, to);
    }
    if (!exists(to)) {
      throw new RefusedException(to + " is gone, and is not in the new place either");
    }
  }

  static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
