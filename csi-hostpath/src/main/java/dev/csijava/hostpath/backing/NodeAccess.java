package dev.csijava.hostpath.backing;

import dev.csijava.core.mount.MountOptions;
import java.util.List;

/**
 * How a caller wants a volume on a node.
 *
 * @param options what one mount keeps: given to the staging mount and to each target (B118)
 * @param fileSystemFlags what a file system keeps, given to the staging mount of an image only
 */
public record NodeAccess(MountOptions options, List<String> fileSystemFlags) {
  /** Copies the list. */
  public NodeAccess {
    fileSystemFlags = List.copyOf(fileSystemFlags);
  }

  /** The same, read-only if that is asked for beside the capability. */
  public NodeAccess readOnlyIf(boolean readOnly) {
    return readOnly ? new NodeAccess(options.withReadOnly(), fileSystemFlags) : this;
  }

  /** Whether writes are to be refused. */
  public boolean readOnly() {
    return options.readOnly();
  }
}
