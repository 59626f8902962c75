package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a volume is to be, by the class parameter {@code backing} ({@code directory} unless said
 * otherwise, or {@code image}) and by access type: a raw block volume is a file whatever the
 * parameter says, and access type is part of the record from then on (rule K10).
 *
 * @param backing what its data is
 * @param type the file system of an image that is made empty; null for the others
 */
public record BackingChoice(Backing backing, @Nullable FileSystemType type) {
  /** The class parameter. */
  public static final String PARAMETER = "backing";

  /**
   * What a directory volume may be asked to have: sidecars fill in such a name where a class has
   * none. Any other is a wish that can't be kept.
   */
  private static final Set<String> ORDINARY = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs");

  private static final Map<String, Backing> NAMES =
      Map.of("directory", Backing.DIRECTORY, "image", Backing.IMAGE);

  /**
   * Reads a request, as CreateVolume and GetCapacity have it.
   *
   * @param capabilities well-formed; none means access type mount
   * @throws CsiException INVALID_ARGUMENT if no volume can be both or all that is asked for
   */
  public static BackingChoice of(
      Map<String, String> parameters, List<VolumeCapability> capabilities) {
    Backing named = NAMES.get(parameters.getOrDefault(PARAMETER, "directory"));
    if (named == null) {
      throw CsiException.invalidArgument("parameter backing must be \"directory\" or \"image\"");
    }
    long blocks = capabilities.stream().filter(VolumeCapability::hasBlock).count();
    if (blocks > 0 && blocks < capabilities.size()) {
      throw CsiException.invalidArgument(
          "volume_capabilities: a volume has access type block or mount, not both");
    }
    if (blocks > 0) {
      return new BackingChoice(Backing.BLOCK, null);
    }
    FileSystemType type = named == Backing.IMAGE ? type(capabilities) : null;
    for (VolumeCapability capability : capabilities) {
      access(named, type, capability);
    }
    return new BackingChoice(named, type);
  }

  private static FileSystemType type(List<VolumeCapability> capabilities) {
    List<String> names =
        capabilities.stream()
            .map(capability -> capability.getMount().getFsType())
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    if (names.size() > 1) {
      throw CsiException.invalidArgument("volume_capabilities: fs_type is not always the same");
    }
    return names.isEmpty() ? FileSystemType.EXT4 : FileSystemType.of(names.getFirst());
  }

  /**
   * Why a volume that exists can't serve a capability, which is well-formed; empty if it can. At
   * most 128 bytes.
   */
  public static Optional<String> refusal(Record volume, VolumeCapability capability) {
    try {
      NodeAccess ignored = access(volume, capability);
      return Optional.empty();
    } catch (CsiException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * How a volume that exists is to be mounted; what the access mode adds is the caller's.
   *
   * @throws CsiException INVALID_ARGUMENT if it can't serve the capability
   */
  public static NodeAccess access(Record volume, VolumeCapability capability) {
    boolean image = volume.getBacking() == Backing.IMAGE;
    return access(
        volume.getBacking(),
        image ? FileSystemType.of(volume.getFileSystem().getType()) : null,
        capability);
  }

  private static NodeAccess access(
      Backing backing, @Nullable FileSystemType type, VolumeCapability capability) {
    if (capability.hasBlock() != (backing == Backing.BLOCK)) {
      throw CsiException.invalidArgument(
          backing == Backing.BLOCK
              ? "the volume has access type block, not mount"
              : "the volume has access type mount, not block");
    }
    List<String> flags = capability.getMount().getMountFlagsList();
    String asked = capability.getMount().getFsType();
    if (type == null) {
      if (!asked.isEmpty() && !ORDINARY.contains(asked)) {
        throw CsiException.invalidArgument(
            "fs_type: a directory lies on the file system of the node; leave fs_type out");
      }
      return MountFlags.ofDirectory(flags);
    }
    if (!asked.isEmpty() && !asked.equals(type.typeName())) {
      throw CsiException.invalidArgument("the volume has the file system " + type.typeName());
    }
    return MountFlags.ofImage(flags, type);
  }

  /**
   * Checks that a volume of this kind can be filled from a source, and says what its file system
   * then is.
   *
   * @param source a committed volume or snapshot; null for an empty volume
   * @param bytes the size of the new volume
   * @return empty if it is no image
   * @throws CsiException INVALID_ARGUMENT for a directory from a file or a file from a directory,
   *     and for an image with another file system than its source
   */
  Optional<ImageFileSystem> fileSystem(@Nullable Record source, long bytes) {
    if (source != null
        && (source.getBacking() == Backing.DIRECTORY) != (backing == Backing.DIRECTORY)) {
      throw CsiException.invalidArgument(
          "volume_content_source: a directory can't be made from an image or a block volume, nor"
              + " the other way round");
    }
    if (type == null) {
      return Optional.empty();
    }
    ImageFileSystem.Builder result = ImageFileSystem.newBuilder().setType(type.typeName());
    if (source == null) {
      return Optional.of(result.setFormatted(true).setGrownToBytes(bytes).build());
    }
    if (source.getBacking() == Backing.IMAGE) {
      if (!source.getFileSystem().getType().equals(type.typeName())) {
        throw CsiException.invalidArgument(
            "volume_content_source: its file system is " + source.getFileSystem().getType());
      }
      result.mergeFrom(source.getFileSystem());
    }
    return Optional.of(result.setForeignUuid(true).build());
  }
}
