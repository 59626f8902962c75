package dev.csijava.hostpath.removal;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.MountView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The one door for all that removes data (idea 5 of the architecture, rule K1): nothing else in
 * this driver deletes a tree. It works on folders of the state directory only, which callers take
 * from a committed record, and never where something is mounted at or below the folder.
 *
 * <p>Safe for use by several threads.
 */
public final class Destruction implements AutoCloseable {
  private final Trash trash;
  private final Disk disk;
  private final MountView mounts;
  private final Steps steps;

  /**
   * @param trash the folder of the state directory that holds what is deleted already; made by the
   *     caller, on the same file system as what is to be deleted
   */
  public Destruction(Path trash, Disk disk, MountView mounts, Steps steps) {
    this.trash = new Trash(trash);
    this.disk = disk;
    this.mounts = mounts;
    this.steps = steps;
  }

  /**
   * Deletes the folder of a committed object: one rename into the trash, on disk when this returns;
   * the content goes in the background.
   *
   * @throws CsiException FAILED_PRECONDITION, nothing touched, if a mount lies at or below the
   *     folder; UNAVAILABLE if it is not known whether the deletion would outlive a crash
   * @throws java.nio.file.NoSuchFileException if there is no such folder
   * @throws IOException and the folder is where it was
   */
  public void deleteCommitted(Path folder) throws IOException {
    Path parent = parent(folder);
    refuseMounts(folder);
    // Held until it is on disk: what must go back on a failure may not be removed meanwhile.
    Path place = trash.heldPlaceFor(folder);
    moveToTrash(folder, place);
    steps.reached(Steps.Step.TRASHED);
    try {
      disk.syncFolder(parent);
    } catch (IOException e) {
      undo(place, folder, e);
      throw e;
    }
    steps.reached(Steps.Step.DELETE_DURABLE);
    trash.release(place);
  }

  /**
   * Drops a folder that was never committed. Not synced: should it come back after a crash, the
   * next start drops it again.
   *
   * @throws CsiException FAILED_PRECONDITION, nothing touched, if a mount lies at or below it
   * @throws IOException and the folder is where it was
   */
  public void dropPending(Path folder) throws IOException {
    refuseMounts(folder);
    moveToTrash(folder, trash.placeFor(folder));
    trash.emptyLater();
  }

  /** Also where somebody has removed the trash folder, which is the same exception. */
  private void moveToTrash(Path folder, Path place) throws IOException {
    try {
      disk.rename(folder, place);
    } catch (NoSuchFileException e) {
      if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
      trash.makeFolder();
      disk.rename(folder, place);
    }
  }

  /** Removes in the background what an earlier process left in the trash. */
  public void emptyTrash() {
    trash.releaseAll();
  }

  private void refuseMounts(Path folder) {
    List<Mount> found = mounts.atOrBelow(folder);
    if (!found.isEmpty()) {
      throw CsiException.failedPrecondition(
          "nothing was deleted: " + found.get(0).target() + " is mounted; unmount it first");
    }
  }

  private static Path parent(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (parent == null) {
      throw new IOException(folder + " has no parent");
    }
    return parent;
  }

  private void undo(Path place, Path folder, IOException failure) {
    try {
      disk.rename(place, folder);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw CsiException.unavailable(
          "the disk of the state directory fails; it is not known whether the deletion lasts",
          failure);
    }
  }

  /** Stops the removal in the background; what is left in the trash stays for the next start. */
  @Override
  public void close() {
    trash.close();
  }
}
