package dev.csijava.hostpath.removal;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import java.nio.file.Path;

/**
 * The one place that unmounts. Callers have made sure that what is mounted there is the volume that
 * the request names. Safe for use by several threads; the caller holds the lock of the path.
 */
public final class Detachment {
  private final Mounter mounter;

  /**
   * @param mounter unmounts
   */
  public Detachment(Mounter mounter) {
    this.mounter = mounter;
  }

  /** Leaves nothing mounted at a staging path; the directory is the caller's and stays. */
  public void unstage(Path staging) {
    unmount(staging);
  }

  /** Leaves nothing at a target path: no mount and no directory, which must be empty. */
  public void unpublish(TargetPath target) {
    unmount(target.path());
    target.remove(mounter);
  }

  /** Done is what is not mounted any more, whatever was reported (rule K5, B035). */
  private void unmount(Path path) {
    mounter.unmount(path);
    if (mounter.mountAt(path).isPresent()) {
      throw CsiException.internal(
          path + " is still mounted, although its unmount was reported as done", null);
    }
  }

  /** Removes the empty directory of a target at which nothing is mounted. */
  public void removeTarget(TargetPath target) {
    target.remove(mounter);
  }
}
