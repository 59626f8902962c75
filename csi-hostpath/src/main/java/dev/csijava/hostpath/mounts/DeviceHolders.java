package dev.csijava.hostpath.mounts;

import dev.csijava.core.mount.MountHolders;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** Says who keeps a device open, as far as this process may see it. */
public final class DeviceHolders {
  private DeviceHolders() {}

  /** That of this node: from a device node to a sentence. */
  public static Function<Path, String> system() {
    return node -> {
      try {
        return MountHolders.system().sentence(node, MountTable.read());
      } catch (IOException e) {
        return "the mount table can't be read";
      }
    };
  }
}
