package dev.csijava.examples.memory;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * How a volume is to be used, checked.
 *
 * @param mode the access mode
 * @param flags what the mount keeps: the capability's mount flags
 * @param group the numeric id of the group that owns the volume's files, if one is asked for
 */
record MemoryCapability(Mode mode, MountOptions flags, Optional<String> group) {
  private static final long LARGEST_ID = 0xffff_fffeL; // the last one means "nobody at all"
  private static final Set<Mode> FOR_SEVERAL_TARGETS = Set.of(Mode.SINGLE_NODE_MULTI_WRITER);
  private static final Set<Mode> FOR_ONE_TARGET =
      Set.of(Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_READER_ONLY, Mode.SINGLE_NODE_SINGLE_WRITER);

  /**
   * Why the driver can't serve a capability, or nothing if it can.
   *
   * @throws CsiException INVALID_ARGUMENT for a mount flag that is not known
   */
  static Optional<String> refusal(VolumeCapability capability) {
    MountVolume mount = capability.getMount();
    Mode mode = capability.getAccessMode().getMode();
    if (!capability.hasMount()) {
      return Optional.of("memory can't be had as a block device");
    }
    if (!Set.of("", "tmpfs").contains(mount.getFsType())) {
      return Optional.of("the file system of a memory volume is tmpfs");
    }
    if (!FOR_ONE_TARGET.contains(mode) && !FOR_SEVERAL_TARGETS.contains(mode)) {
      return Optional.of("a memory volume can be used on one node only");
    }
    String group = mount.getVolumeMountGroup();
    if (!group.isEmpty() && !(group.matches("[0-9]{1,10}") && Long.parseLong(group) < LARGEST_ID)) {
      return Optional.of("volume_mount_group must be the number of a group");
    }
    MountOptions.parse(mount.getMountFlagsList());
    return Optional.empty();
  }

  /**
   * Reads a capability.
   *
   * @param refused makes the reason, if it is refused, what the call answers
   */
  static MemoryCapability of(VolumeCapability capability, Function<String, CsiException> refused) {
    Optional<String> refusal = refusal(capability);
    if (refusal.isPresent()) {
      throw refused.apply(refusal.get());
    }
    MountVolume mount = capability.getMount();
    return new MemoryCapability(
        capability.getAccessMode().getMode(),
        MountOptions.parse(mount.getMountFlagsList()),
        Optional.of(mount.getVolumeMountGroup())
            .filter(group -> !group.isEmpty())
            .map(group -> Long.toString(Long.parseLong(group))));
  }

  /** Whether the volume may stand at one target only. */
  boolean forOneTarget() {
    return FOR_ONE_TARGET.contains(mode);
  }

  /** What the bind mount at a target keeps. */
  MountOptions targetOptions(boolean readOnly) {
    return readOnly || mode == Mode.SINGLE_NODE_READER_ONLY ? flags.withReadOnly() : flags;
  }

  /**
   * What the tmpfs is mounted with. A volume with a group belongs to it, and the set-group-id bit
   * hands the group on to everything that is made in the volume.
   */
  List<String> fileSystemOptions(long sizeBytes) {
    List<String> options = new ArrayList<>(sizeOptions(sizeBytes));
    options.add(group.isPresent() ? "mode=2770" : "mode=0777");
    group.ifPresent(id -> options.add("gid=" + id));
    targetOptions(false).flags().forEach(flag -> options.add(flag.option()));
    return options;
  }

  /**
   * The limits: also one for the number of files, since the kernel's memory for an empty file is
   * not in the size.
   */
  static List<String> sizeOptions(long sizeBytes) {
    return List.of("size=" + sizeBytes, "nr_inodes=" + Math.max(64, sizeBytes / 4096));
  }
}
