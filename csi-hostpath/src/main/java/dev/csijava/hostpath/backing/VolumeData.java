package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.DataMaker;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.CapacityRange;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the data of new volumes and snapshots: what it is, how large it is, and what makes it.
 * Immutable; safe for use by several threads.
 */
public final class VolumeData {
  private final Backings backings;
  private final VolumeSizes sizes;

  /**
   * @param sizes those that are granted
   */
  public VolumeData(Backings backings, VolumeSizes sizes) {
    this.backings = backings;
    this.sizes = sizes;
  }

  /**
   * What a new volume or snapshot is filled from.
   *
   * @param record committed
   * @param store where it is kept
   */
  public record Source(Record record, ObjectStore store) {
    Path data() {
      return store.data(record);
    }

    /**
     * For the end of a copy. The locks of the framework keep a source that the controller made; an
     * inline volume goes with its pod, and what is removed under a copy is missing in it.
     *
     * @throws CsiException NOT_FOUND if it was deleted meanwhile
     */
    void requireKept() {
      if (!store.isKept(record.getId())) {
        throw CsiException.notFound("the source was deleted while it was copied; nothing was made");
      }
    }
  }

  /**
   * A plan.
   *
   * @param draft the record with backing, size and file system set
   * @param ignoreFailedRead whether files of the source that can't be read are left out
   */
  public record Plan(
      Record draft, VolumeBacking backing, @Nullable Source source, boolean ignoreFailedRead) {
    /** What makes the data, for the whole draft. */
    public DataMaker maker(Record whole) {
      Source from = source;
      return data -> {
        BackedVolume volume = new BackedVolume(whole, data);
        if (from == null) {
          backing.make(volume);
          return;
        }
        if (ignoreFailedRead) {
          backing.copyReadable(from.data(), volume);
        } else {
          backing.copy(from.data(), volume);
        }
        from.requireKept();
      };
    }
  }

  /**
   * A new volume.
   *
   * @param source what it is filled from; null for an empty one
   * @param range the size asked for; null for none
   * @throws CsiException INVALID_ARGUMENT if the source does not fit; OUT_OF_RANGE if the size
   *     can't be had
   */
  public Plan volume(BackingChoice choice, @Nullable Source source, @Nullable CapacityRange range) {
    Record from = source == null ? null : source.record();
    // Whether the source fits does not hang on the size, and is the better sentence.
    Optional<ImageFileSystem> ignored = choice.fileSystem(from, 1);
    long bytes =
        from == null
            ? sizes.of(choice).plan(range)
            : sizes.of(choice).planCopy(from.getSizeBytes(), range);
    Record.Builder draft = Record.newBuilder().setBacking(choice.backing()).setSizeBytes(bytes);
    choice.fileSystem(from, bytes).ifPresent(draft::setFileSystem);
    return new Plan(draft.build(), backings.of(choice.backing()), source, false);
  }

  /**
   * A snapshot: the same as its source, of the same size (B136).
   *
   * @param ignoreFailedRead whether files that can't be read are left out
   */
  public Plan snapshot(Source source, boolean ignoreFailedRead) {
    Record from = source.record();
    Record.Builder draft =
        Record.newBuilder().setBacking(from.getBacking()).setSizeBytes(from.getSizeBytes());
    if (from.hasFileSystem()) {
      draft.setFileSystem(from.getFileSystem());
    }
    return new Plan(draft.build(), backings.of(from), source, ignoreFailedRead);
  }
}
