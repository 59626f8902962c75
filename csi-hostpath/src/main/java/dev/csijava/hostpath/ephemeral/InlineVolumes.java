package dev.csijava.hostpath.ephemeral;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeData.Plan;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.capacity.Quantity;
import dev.csijava.hostpath.state.InlineDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.hostpath.store.RecordSelection;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Volumes that a pod's own description asks for: made when they are published, deleted when they
 * are not any more. Their id is kubelet's and is kept in the record; the folder has a name of our
 * own (rule K2). Safe for use by several threads; the caller holds the lock of the volume.
 */
public final class InlineVolumes {
  private static final Logger log = LoggerFactory.getLogger(InlineVolumes.class);
  private static final String SIZE = "size";
  private static final String KIND = "kind";

  /** 100 MiB, which is what the Go driver gives to each. */
  public static final long DEFAULT_SIZE = 100L << 20;

  private final ObjectStore volumes;
  private final RecordSelection inline;
  private final VolumeData data;
  private final VolumeSizes sizes;
  private final Promises promises;
  private final VolumeUses uses;

  /**
   * @param sizes the sizes that are granted
   * @param uses says who uses a volume
   */
  public InlineVolumes(
      ObjectStore volumes, VolumeData data, VolumeSizes sizes, Promises promises, VolumeUses uses) {
    this.volumes = volumes;
    this.inline = new RecordSelection(volumes, volume -> volume.getVolume().hasInline());
    this.data = data;
    this.sizes = sizes;
    this.promises = promises;
    this.uses = uses;
  }

  /** The inline volume that has this id. */
  public Optional<Record> find(String volumeId) {
    return volumes.byId(volumeId).filter(volume -> volume.getVolume().hasInline());
  }

  /**
   * Makes the volume that a request describes.
   *
   * @param target the target path of the request
   * @throws CsiException INVALID_ARGUMENT for a size or a backing that is none, or the id of a
   *     volume that is not inline; FAILED_PRECONDITION if no such volume can serve the capability;
   *     OUT_OF_RANGE for a size that can't be had, also for lack of room; INTERNAL if the disk
   *     fails. Nothing is left then.
   */
  public Record make(NodePublishVolumeRequest request, Path target) {
    if (volumes.byId(request.getVolumeId()).isPresent()) {
      throw CsiException.invalidArgument(
          "volume_id is that of a volume that is not inline, but volume_context says it is");
    }
    Map<String, String> context = request.getVolumeContextMap();
    BackingChoice choice = choice(context, request.getVolumeCapability());
    Plan plan = data.volume(choice, null, range(context, sizes.of(choice)));
    Record.Builder draft =
        plan.draft().toBuilder()
            .setId(request.getVolumeId())
            .setVolume(VolumeDetails.newBuilder().setInline(details(target)));
    try (Promises.Reservation room =
        promises.reserve(draft.build(), context.getOrDefault(KIND, ""), draft.getSizeBytes())) {
      draft.getVolumeBuilder().setCapacityKind(room.kind());
      return volumes.create(draft.build(), plan.maker(draft.build()));
    } catch (CsiException e) {
      throw withoutExhaustion(e);
    }
  }

  private static BackingChoice choice(Map<String, String> context, VolumeCapability capability) {
    // For the attribute alone, which is INVALID_ARGUMENT; of the capability it is another code.
    BackingChoice ignored = BackingChoice.of(context, List.of());
    try {
      return BackingChoice.of(context, List.of(capability));
    } catch (CsiException e) {
      throw CsiException.failedPrecondition("volume_capability: " + e.getMessage());
    }
  }

  private static CapacityRange range(Map<String, String> context, CapacityPlanner planner) {
    long bytes = Math.min(DEFAULT_SIZE, planner.maximumBytes());
    if (context.containsKey(SIZE)) {
      try {
        bytes = Quantity.bytes(context.getOrDefault(SIZE, ""));
      } catch (IllegalArgumentException e) {
        throw CsiException.invalidArgument("volume_context: attribute size: " + e.getMessage());
      }
    }
    if (bytes == 0) {
      throw CsiException.invalidArgument("volume_context: attribute size must be positive");
    }
    return CapacityRange.newBuilder().setRequiredBytes(bytes).build();
  }

  private static InlineDetails details(Path target) {
    return InlineDetails.newBuilder()
        .setTargetPath(target.toString())
        .setPodDirectory(PodDirectory.of(target).map(Path::toString).orElse(""))
        .build();
  }

  // Kubelet takes RESOURCE_EXHAUSTED of a publish as "perhaps done", and asks for ever.
  private static CsiException withoutExhaustion(CsiException failure) {
    return failure.code() == Status.Code.RESOURCE_EXHAUSTED
        ? new CsiException(Status.Code.OUT_OF_RANGE, failure.getMessage(), failure)
        : failure;
  }

  /**
   * Deletes an inline volume, unless it still is mounted anywhere.
   *
   * @return whether it is deleted
   * @throws CsiException FAILED_PRECONDITION if its device is still open; the volume stays
   */
  public boolean dropUnused(Record volume) {
    if (!uses.mounts(volume).isEmpty()) {
      return false;
    }
    uses.release(volume);
    volumes.delete(volume);
    return true;
  }

  /**
   * Deletes the inline volumes whose pods vanished without an unpublish, as a reboot may have it:
   * only where nothing shows the volume and kubelet's directory of the pod surely is gone.
   */
  public void sweep() {
    inline.stream()
        .filter(volume -> !volume.getVolume().getInline().getPodDirectory().isEmpty())
        .filter(volume -> isOfNoPod(volume.getVolume().getInline()))
        .forEach(this::sweep);
  }

  private boolean isOfNoPod(InlineDetails details) {
    Path root = volumes.base();
    return PodDirectory.isGone(root.getFileSystem().getPath(details.getPodDirectory()));
  }

  private void sweep(Record volume) {
    try {
      if (dropUnused(volume)) {
        log.info("deleted inline volume {}, whose pod is gone", volume.getId());
      }
    } catch (CsiException e) {
      log.warn("inline volume {} of a pod that is gone stays: {}", volume.getId(), e.getMessage());
    }
  }
}
