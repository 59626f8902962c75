package dev.csijava.examples.existing;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Something that lies on this node, as it was found at one moment.
 *
 * @param name of its entry in the discovery directory
 * @param id the volume id, made of node and name
 * @param kind what it was when it was first seen
 * @param source what is bound to a target, links resolved; of a faulty one its entry
 * @param fault why it can't be used now; empty if it can
 */
record Disk(String name, String id, Kind kind, Path source, Optional<String> fault) {
  /** What an entry may be. */
  enum Kind {
    /** A file system that is mounted in the discovery directory. */
    MOUNT,
    /** A link to a directory. */
    DIRECTORY,
    /** A link to a block device. */
    BLOCK,
    /** Its record can't be read: nobody may guess what it was. */
    UNKNOWN
  }

  /** Why it can't be used like this, whatever its health; at most 128 bytes. */
  Optional<String> refusal(VolumeCapability capability) {
    boolean block = kind == Kind.BLOCK;
    if (capability.hasBlock() != block) {
      return Optional.of(block ? "it is a block device" : "it is a directory, no block device");
    }
    if (!capability.getMount().getFsType().isEmpty()) {
      return Optional.of("its file system is there already; ask for none");
    }
    return switch (capability.getAccessMode().getMode()) {
      case SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
          Optional.empty();
      case SINGLE_NODE_READER_ONLY ->
          block ? Optional.of("a device can't be kept from being written") : Optional.empty();
      default -> Optional.of("it lies on one node only");
    };
  }

  /**
   * For the node, before it binds the source anywhere.
   *
   * @throws CsiException FAILED_PRECONDITION if the disk is faulty
   */
  void requireHealthy() {
    fault.ifPresent(
        why -> {
          throw CsiException.failedPrecondition(why);
        });
  }

  VolumeHealth health() {
    VolumeHealth.Builder health = VolumeHealth.newBuilder().setVolumeId(id);
    fault.ifPresent(
        why ->
            health.addHealthStatuses(
                VolumeHealthEntry.newBuilder()
                    .setStatus(VolumeHealthErrorType.INACCESSIBLE)
                    .setReason("DiskMissing")
                    .setMessage(why)));
    return health.build();
  }
}
