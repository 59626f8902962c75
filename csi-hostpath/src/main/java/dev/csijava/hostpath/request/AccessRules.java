package dev.csijava.hostpath.request;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Optional;

/**
 * What of a volume capability is the same for all volumes: it has an access type and an access
 * mode, of which every one is served, and no mount group, which a bind mount can't keep (B121).
 * Access type, file system and mount flags are judged by {@link
 * dev.csijava.hostpath.backing.BackingChoice}.
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
    if (!capability.getMount().getVolumeMountGroup().isEmpty()) {
      return Optional.of("volume_mount_group can't be kept by a bind mount");
    }
    return Optional.empty();
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

  /** Whether a mode lets nobody write. */
  public static boolean isReaderOnly(Mode mode) {
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
