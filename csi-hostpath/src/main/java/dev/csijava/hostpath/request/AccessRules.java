package dev.csijava.hostpath.request;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Optional;

/**
 * Which volume capabilities a directory volume can serve: access type mount, every access mode, and
 * the mount flags that a bind mount keeps. The file system is that of the state directory whatever
 * {@code fs_type} says, because callers fill that field in by default.
 */
public final class AccessRules {
  private AccessRules() {}

  /**
   * Why a capability can't be served, or empty if it can. At most 128 bytes.
   *
   * @throws CsiException INVALID_ARGUMENT if it says nothing that could be judged: no access type,
   *     no or an unknown access mode
   */
  public static Optional<String> refusal(VolumeCapability capability) {
    requireWellFormed(capability);
    if (capability.hasBlock()) {
      return Optional.of("raw block volumes are not offered; ask for access type mount");
    }
    if (!capability.getMount().getVolumeMountGroup().isEmpty()) {
      return Optional.of("volume_mount_group can't be kept by a bind mount");
    }
    try {
      MountOptions.parse(capability.getMount().getMountFlagsList());
      return Optional.empty();
    } catch (CsiException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Checks all capabilities of a volume that is to be made.
   *
   * @throws CsiException INVALID_ARGUMENT if one is malformed or can't be served
   */
  public static void requireForCreate(List<VolumeCapability> capabilities) {
    if (capabilities.isEmpty()) {
      throw CsiException.invalidArgument("volume_capabilities is empty");
    }
    for (VolumeCapability capability : capabilities) {
      refusal(capability)
          .ifPresent(
              why -> {
                throw CsiException.invalidArgument("volume_capabilities: " + why);
              });
    }
  }

  /**
   * The mount options of a capability that a node is to serve; {@code RO} for a reader-only mode.
   *
   * @throws CsiException INVALID_ARGUMENT if it is malformed; FAILED_PRECONDITION if it can't be
   *     served
   */
  public static MountOptions forNode(VolumeCapability capability) {
    refusal(capability)
        .ifPresent(
            why -> {
              throw CsiException.failedPrecondition("volume_capability: " + why);
            });
    MountOptions options = MountOptions.parse(capability.getMount().getMountFlagsList());
    return isReaderOnly(capability.getAccessMode().getMode()) ? options.withReadOnly() : options;
  }

  private static boolean isReaderOnly(Mode mode) {
    return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
  }

  private static void requireWellFormed(VolumeCapability capability) {
    if (capability.getAccessTypeCase() == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
      throw CsiException.invalidArgument("a volume capability has no access type");
    }
    Mode mode = capability.getAccessMode().getMode();
    if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
      throw CsiException.invalidArgument("a volume capability has no access mode that we know");
    }
  }
}
