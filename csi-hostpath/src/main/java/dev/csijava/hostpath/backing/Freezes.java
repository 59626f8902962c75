package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.Freezer;
import dev.csijava.hostpath.copy.MountedFileSystem;
import dev.csijava.hostpath.copy.MountedFileSystem.Outcome;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Freezes the file systems in images for a cut and thaws them (rule K12). Several cuts of one image
 * at the same time share one freeze. What can't be frozen is flushed. While it is held, nobody can
 * unmount it; so it can surely be thawed. Safe for use by several threads.
 */
final class Freezes {
  private static final Logger log = LoggerFactory.getLogger(Freezes.class);
  private static final int ROUNDS = 3;

  private final AttachedFiles attached;
  private final FileCopier copier;
  private final @Nullable Freezer freezer;
  private final @Nullable FreezeMarks marks;
  private final Map<Path, Cut> cuts = new HashMap<>();

  /**
   * @param marks null to freeze nothing, only to flush
   */
  Freezes(AttachedFiles attached, FileCopier copier, @Nullable FreezeMarks marks) {
    this.attached = attached;
    this.copier = copier;
    this.freezer = marks == null ? null : copier.freezer().orElse(null);
    this.marks = marks;
  }

  /**
   * One image that is held. What may hang, to freeze and to thaw, is done under its own monitor, so
   * that it holds up no other image (rule K15).
   */
  private static final class Cut {
    private int users;
    private volatile @Nullable MountedFileSystem frozen;
  }

  /**
   * Holds what is mounted of a file still, until it is closed; nothing happens where nothing is
   * mounted.
   *
   * @throws IOException if the disk fails
   */
  CutHold hold(Path file) throws IOException {
    Cut cut = enter(file);
    boolean done = false;
    try {
      // After the thaw of who held it last.
      synchronized (cut) {
        if (cut.frozen == null) {
          cut.frozen = freeze(file);
        }
      }
      done = true;
    } finally {
      if (!done) {
        leave(file, cut);
      }
    }
    AtomicBoolean left = new AtomicBoolean();
    return () -> {
      if (!left.getAndSet(true)) {
        leave(file, cut);
      }
    };
  }

  /**
   * Whether what is mounted of a file that is held is frozen by this driver, and not only flushed
   * or frozen by somebody who may thaw it at any time.
   */
  synchronized boolean isFrozen(Path file) {
    Cut cut = cuts.get(file);
    return cut != null && cut.frozen != null && !(cut.frozen instanceof NotOurs);
  }

  private synchronized Cut enter(Path file) {
    Cut cut = cuts.computeIfAbsent(file, path -> new Cut());
    cut.users++;
    return cut;
  }

  /** Null if nothing is mounted, or it was flushed since it can't be frozen. */
  private @Nullable MountedFileSystem freeze(Path file) throws IOException {
    Freezer means = freezer;
    FreezeMarks known = marks;
    for (int round = 0; round < ROUNDS; round++) {
      List<Mount> mounts = attached.fileSystemMounts(file);
      if (mounts.isEmpty()) {
        return null;
      }
      if (means == null || known == null) {
        copier.flush(mounts.getFirst().target());
        return null;
      }
      for (Mount mount : mounts) {
        MountedFileSystem opened = open(means, mount);
        if (opened != null) {
          return freeze(file, opened, mount.target(), known);
        }
      }
      // Unmounted or covered by another mount just now: look again.
    }
    throw new IOException("the file system of the volume can't be reached to hold it still");
  }

  /** Null if the file system on this very device is not what is there. */
  private static @Nullable MountedFileSystem open(Freezer means, Mount mount) throws IOException {
    MountedFileSystem there;
    try {
      there = means.open(mount.target());
    } catch (IOException e) {
      log.debug("{} is not there any more", mount.target(), e);
      return null;
    }
    boolean same = false;
    try {
      same = there.device().equals(mount.device());
    } finally {
      if (!same) {
        there.close();
      }
    }
    return same ? there : null;
  }

  private @Nullable MountedFileSystem freeze(
      Path file, MountedFileSystem there, Path mountPoint, FreezeMarks known) throws IOException {
    boolean markedBefore = known.has(file);
    Outcome outcome = Outcome.REFUSED;
    boolean done = false;
    try {
      known.put(file);
      outcome = there.freeze();
      if (outcome == Outcome.FROZEN_BEFORE && markedBefore) {
        // By the process before this one.
        outcome = Outcome.FROZEN;
      }
      if (outcome == Outcome.REFUSED) {
        copier.flush(mountPoint);
      }
      done = true;
    } finally {
      if (outcome != Outcome.FROZEN) {
        known.remove(file);
      }
      if (!done || outcome == Outcome.REFUSED) {
        there.close();
      }
    }
    return switch (outcome) {
      case FROZEN -> there;
      // By an operator, who also thaws it; until then it is still. The mount stays held.
      case FROZEN_BEFORE -> new NotOurs(there);
      case REFUSED -> null;
    };
  }

  private void leave(Path file, Cut cut) {
    synchronized (cut) {
      synchronized (this) {
        if (--cut.users > 0) {
          return;
        }
      }
      MountedFileSystem frozen = cut.frozen;
      cut.frozen = null;
      if (frozen != null) {
        thaw(file, frozen);
      }
      synchronized (this) {
        // Whoever came meanwhile waits for this monitor and freezes it anew.
        if (cut.users == 0) {
          cuts.remove(file);
        }
      }
    }
  }

  private void thaw(Path file, MountedFileSystem frozen) {
    try (frozen) {
      frozen.thaw();
      if (marks != null && !(frozen instanceof NotOurs)) {
        marks.remove(file);
      }
    } catch (IOException e) {
      log.error("{} stays frozen; the next start thaws it, or fsfreeze --unfreeze does", file, e);
    }
  }

  /**
   * Thaws what an earlier process has frozen and could not thaw, where it still is mounted.
   *
   * @param base the folder that the folders of all volumes lie in
   */
  void thawLeft(Path base) {
    if (marks == null) {
      return;
    }
    try {
      for (String folder : marks.folders()) {
        thawLeftOf(base.resolve(folder).resolve(ObjectStore.DATA));
      }
    } catch (IOException e) {
      log.warn("what a crash left frozen can't be looked up", e);
    }
  }

  /** The same for one file; nothing happens if it was not frozen by this driver. */
  void thawLeftOf(Path file) {
    if (marks == null || freezer == null || !marks.has(file)) {
      return;
    }
    Cut cut = enterAlone(file);
    if (cut == null) {
      return;
    }
    try {
      synchronized (cut) {
        if (cut.frozen == null && marks.has(file)) {
          thawLeft(freezer, marks, file);
        }
      }
    } finally {
      leave(file, cut);
    }
  }

  /** Null if somebody holds it just now, who also thaws it. */
  private synchronized @Nullable Cut enterAlone(Path file) {
    return cuts.containsKey(file) ? null : enter(file);
  }

  private void thawLeft(Freezer means, FreezeMarks known, Path file) {
    try {
      if (thaw(means, file)) {
        log.info("thawed {}, which a crash left frozen", file);
        known.remove(file);
      } else if (attached.find(file).isEmpty()) {
        known.remove(file);
      } else {
        log.warn("{} may still be frozen; it is thawed when it is mounted next", file);
      }
    } catch (IOException | CsiException e) {
      // One volume must not keep the driver from serving the others.
      log.warn("{}, which a crash left frozen, can't be thawed", file, e);
    }
  }

  private boolean thaw(Freezer means, Path file) throws IOException {
    for (Mount mount : attached.fileSystemMounts(file)) {
      MountedFileSystem opened = open(means, mount);
      if (opened != null) {
        try (opened) {
          opened.thaw();
          return true;
        }
      }
    }
    return false;
  }

  /** Frozen by somebody else, who also thaws it. */
  private record NotOurs(MountedFileSystem there) implements MountedFileSystem {
    @Override
    public String device() throws IOException {
      return there.device();
    }

    @Override
    public Outcome freeze() {
      return Outcome.FROZEN_BEFORE;
    }

    @Override
    public void thaw() {}

    @Override
    public void close() {
      there.close();
    }
  }
}
