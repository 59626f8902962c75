package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.AccessTypeCase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether volume capabilities make sense, and whether they can be served. */
final class Capabilities {
  private final FakeSettings settings;

  Capabilities(FakeSettings settings) {
    this.settings = settings;
  }

  static void wellFormed(VolumeCapability capability) {
    if (capability.getAccessTypeCase() == AccessTypeCase.ACCESSTYPE_NOT_SET) {
      throw Failure.invalid("a volume capability needs an access type: block or mount");
    }
    Mode mode = capability.getAccessMode().getMode();
    if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
      throw Failure.invalid("a volume capability needs a known access mode");
    }
  }

  /** Why no volume of this driver can be used like that; empty if one can. */
  Optional<String> unsupported(VolumeCapability capability, boolean onNode) {
    Mode mode = capability.getAccessMode().getMode();
    if (!settings.modes.contains(mode)
        || (AccessModes.FINER.contains(mode) && !settings.finerModes(onNode))) {
      return Optional.of("access mode " + mode + " is not offered");
    }
    if (capability.hasBlock()) {
      return settings.blockVolumes ? Optional.empty() : Optional.of("block is not offered");
    }
    if (!settings.mountVolumes) {
      return Optional.of("mount is not offered");
    }
    VolumeCapability.MountVolume mount = capability.getMount();
    if (!mount.getFsType().isEmpty() && !settings.fileSystems.contains(mount.getFsType())) {
      return Optional.of("that fs_type is not offered");
    }
    if (!settings.mountFlags.containsAll(mount.getMountFlagsList())) {
      return Optional.of("a mount flag is not known"); // which may be sensitive, so not repeated
    }
    if (!mount.getVolumeMountGroup().isEmpty()
        && !settings.has(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP)) {
      return Optional.of("volume_mount_group is not offered");
    }
    return Optional.empty();
  }

  /** The same for one volume, which was made for some capabilities. */
  Optional<String> unsupported(FakeVolume volume, VolumeCapability capability, boolean onNode) {
    Optional<String> reason = unsupported(capability, onNode);
    if (reason.isPresent()) {
      return reason;
    }
    List<VolumeCapability> made =
        volume.request.getVolumeCapabilitiesList().stream()
            .filter(one -> one.getAccessTypeCase() == capability.getAccessTypeCase())
            .toList();
    if (made.isEmpty()) {
      return Optional.of("the volume was not made for that access type");
    }
    Set<Mode> modes =
        made.stream().map(one -> one.getAccessMode().getMode()).collect(Collectors.toSet());
    return AccessModes.covered(modes, capability.getAccessMode().getMode())
        ? Optional.empty()
        : Optional.of("the volume was not made for that access mode");
  }
}
