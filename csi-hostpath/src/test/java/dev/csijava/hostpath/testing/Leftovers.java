package dev.csijava.hostpath.testing;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Path;

/** Takes away what a driver that died left on this machine, so that no test leaves anything. */
public final class Leftovers {
  private Leftovers() {}

  /** Unmounts and detaches all below a directory. */
  public static void clean(Path root) throws IOException {
    for (Mount mount : MountTable.read().below(root).reversed()) {
      Mounter.system().unmount(mount.target());
    }
    Loops.detachBelow(root);
  }
}
