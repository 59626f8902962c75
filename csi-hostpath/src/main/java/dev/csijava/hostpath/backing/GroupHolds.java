package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.ChangeClock.Moment;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds volumes for the cuts of a group, each by the best that there is for it (rule K12):
 *
 * <ul>
 *   <li>an image is frozen, or can't be mounted before it is cut;
 *   <li>a directory or raw block volume that nobody uses can't be staged before it is cut;
 *   <li>one that is in use can't be held. So it is flushed, and looked at after the last cut: if
 *       its times of change are all older than the first one, all cuts are of one moment.
 * </ul>
 *
 * <p>Flushing is part of the proof. The kernel notes a change through mapped memory when a clean
 * page becomes dirty, so pages that were dirty before must be clean when the cuts begin.
 */
final class GroupHolds {
  private final ObjectStore volumes;
  private final BackingFile file;
  private final CutLocks unused;
  private final AttachedFiles attached;
  private final MountView mounts;
  private final TreeCopier trees;
  private final FileCopier files;
  private final ChangeClock clock;

  /**
   * @param unused what staging a directory or raw block volume asks for
   */
  GroupHolds(
      ObjectStore volumes,
      BackingFile file,
      CutLocks unused,
      AttachedFiles attached,
      MountView mounts,
      TreeCopier trees,
      FileCopier files) {
    this.volumes = volumes;
    this.file = file;
    this.unused = unused;
    this.attached = attached;
    this.mounts = mounts;
    this.trees = trees;
    this.files = files;
    this.clock = new ChangeClock(volumes.base(), Clock.systemUTC(), System::nanoTime);
  }

  /**
   * Holds all of them, or none.
   *
   * @throws CsiException ABORTED if one of them is just being staged, checked or formatted
   * @throws IOException if the disk fails
   */
  GroupHold hold(List<Record> sources) throws IOException {
    List<CutHold> holds = new ArrayList<>();
    List<Record> watched = new ArrayList<>();
    boolean done = false;
    try {
      for (Record source : sources) {
        if (!isHeld(source, holds)) {
          watched.add(source);
        }
      }
      Moment start = watched.isEmpty() ? null : start(watched);
      done = true;
      return new GroupHold(CutHold.all(holds), watched, volumes::data, trees, clock, start);
    } finally {
      if (!done) {
        CutHold.all(holds).close();
      }
    }
  }

  private boolean isHeld(Record source, List<CutHold> holds) throws IOException {
    Path data = volumes.data(source);
    if (source.getBacking() == Backing.IMAGE) {
      holds.add(file.hold(data));
      return file.isHeldStill(data);
    }
    CutHold hold = unused.forCopy(data);
    boolean inUse = true;
    try {
      inUse =
          source.getBacking() == Backing.BLOCK
              ? attached.find(data).isPresent()
              : !mounts.showing(data).isEmpty();
    } finally {
      if (inUse) {
        hold.close();
      }
    }
    if (!inUse) {
      holds.add(hold);
    }
    return !inUse;
  }

  /** What is written before this call is in the cuts, and what is changed after it is seen. */
  private Moment start(List<Record> watched) throws IOException {
    boolean directories = false;
    for (Record volume : watched) {
      if (volume.getBacking() == Backing.DIRECTORY) {
        directories = true;
      } else {
        file.flushDevice(volumes.data(volume));
      }
    }
    Moment start = clock.next();
    if (directories) {
      files.flush(volumes.base());
    }
    return start;
  }
}
