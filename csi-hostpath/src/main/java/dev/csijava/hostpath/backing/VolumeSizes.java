package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import org.jspecify.annotations.Nullable;

/**
 * The sizes that volumes of each kind can have, in bytes (rule K9). Of a directory every size: it
 * is nominal. Of an image and of a raw block volume whole pages, so that either can be copied into
 * the other, and not less than their file system needs. Immutable.
 */
public final class VolumeSizes {
  private static final long PAGE = 4096;

  /** Below, mkfs.ext4 leaves no room for files; the smallest that Kubernetes' own tests ask for. */
  private static final long SMALLEST_EXT4 = 1L << 20;

  /** Below, mkfs.xfs refuses. */
  private static final long SMALLEST_XFS = 300L << 20;

  private final long largest;
  private final long normal;

  /**
   * @param largest no volume is larger
   * @param normal what a volume has whose request names no size
   */
  public VolumeSizes(long largest, long normal) {
    this.largest = largest;
    this.normal = normal;
  }

  /**
   * For a new volume.
   *
   * @throws CsiException OUT_OF_RANGE if not even the smallest volume of this kind may be made
   */
  public CapacityPlanner of(BackingChoice choice) {
    return planner(choice.backing(), choice.type());
  }

  /** For the growth of a volume. */
  CapacityPlanner of(Record volume) {
    return planner(
        volume.getBacking(),
        volume.getBacking() == Backing.IMAGE
            ? FileSystemType.of(volume.getFileSystem().getType())
            : null);
  }

  private CapacityPlanner planner(Backing backing, @Nullable FileSystemType type) {
    long page = backing == Backing.DIRECTORY ? 1 : PAGE;
    long smallest = type == null ? page : type == FileSystemType.XFS ? SMALLEST_XFS : SMALLEST_EXT4;
    long most = largest - Math.floorMod(largest, page);
    if (smallest > most) {
      throw CsiException.outOfRange(
          "the smallest such volume has "
              + smallest
              + " bytes, and this driver was started for at most "
              + largest);
    }
    return CapacityPlanner.builder()
        .granularity(page)
        .minimum(smallest)
        .maximum(most)
        .defaultSize(Math.clamp(normal, smallest, most))
        .build();
  }
}
