package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.CapacityRange;
import io.grpc.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes volumes larger, never smaller: first the file, then the record, and after that what uses
 * the volume on this node (rule K10, B107). A growth that fails before the record is on disk leaves
 * the volume as it was, so that a smaller one can follow. The caller holds the volume's locks.
 */
public final class VolumeGrowth {
  private static final Logger log = LoggerFactory.getLogger(VolumeGrowth.class);

  private final ObjectStore volumes;
  private final Backings backings;
  private final VolumeSizes sizes;
  private final Promises promises;

  /**
   * @param sizes those that are granted
   */
  public VolumeGrowth(
      ObjectStore volumes, Backings backings, VolumeSizes sizes, Promises promises) {
    this.volumes = volumes;
    this.backings = backings;
    this.sizes = sizes;
    this.promises = promises;
  }

  /**
   * The controller's part.
   *
   * @param range the size asked for; null for none
   * @return the record in force
   * @throws CsiException OUT_OF_RANGE if the size can't be had; INTERNAL or UNAVAILABLE if the disk
   *     fails; never RESOURCE_EXHAUSTED, which leaves callers unsure for ever
   */
  public Record grow(Record volume, @Nullable CapacityRange range) {
    long before = volume.getSizeBytes();
    long bytes = sizes.of(volume).planGrowth(before, range);
    if (bytes == before) {
      return volume;
    }
    try (Promises.Reservation _ = promises.grow(volume, bytes)) {
      return grow(volume, bytes);
    }
  }

  private Record grow(Record volume, long bytes) {
    VolumeBacking backing = backings.of(volume);
    BackedVolume backed = new BackedVolume(volume, volumes.data(volume));
    try {
      backing.resize(backed, bytes);
    } catch (IOException e) {
      takeBack(backing, backed);
      if (DiskErrors.isTooLarge(e)) {
        throw CsiException.outOfRange(
            "the file system of the state directory can't hold a file of " + bytes + " bytes");
      }
      throw CsiException.internal(
          "the volume could not be made larger: " + DiskErrors.reason(e), e);
    }
    try {
      return volumes.update(
          volume.getId(), current -> current.toBuilder().setSizeBytes(bytes).build());
    } catch (CsiException e) {
      if (e.code() != Status.Code.UNAVAILABLE) {
        takeBack(backing, backed);
      }
      throw e.code() == Status.Code.RESOURCE_EXHAUSTED
          ? CsiException.internal(e.getMessage(), e)
          : e;
    }
  }

  /** Nobody saw the larger size. */
  private static void takeBack(VolumeBacking backing, BackedVolume volume) {
    try {
      backing.resize(volume, volume.bytes());
    } catch (IOException e) {
      log.warn("{} keeps room of a growth that failed; it is cut off later", volume.data(), e);
    }
  }
}
