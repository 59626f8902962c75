package dev.csijava.hostpath.backing;

import dev.csijava.hostpath.backing.ChangeClock.Moment;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Volumes that are to be cut together, as of one moment. For one thread at a time. */
public final class GroupHold implements AutoCloseable {
  private final CutHold held;
  private final List<Record> watched;
  private final Function<Record, Path> data;
  private final TreeCopier trees;
  private final ChangeClock clock;
  private final @Nullable Moment start;

  /**
   * @param held what can be held
   * @param watched what can't be
   * @param start from when on it has to stand still; null if there is nothing to watch
   */
  GroupHold(
      CutHold held,
      List<Record> watched,
      Function<Record, Path> data,
      TreeCopier trees,
      ChangeClock clock,
      @Nullable Moment start) {
    this.held = held;
    this.watched = List.copyOf(watched);
    this.data = data;
    this.trees = trees;
    this.clock = clock;
    this.start = start;
  }

  /**
   * Asked after the last cut: what can't be held still must have stood still by itself.
   *
   * @return the id of a volume of which it is not sure that nobody changed it; empty if all that
   *     was cut is of one moment
   * @throws IOException if a volume could not be looked at
   */
  public Optional<String> changed() throws IOException {
    if (start == null) {
      return Optional.empty();
    }
    for (Record volume : watched) {
      if (!isUnchanged(volume, start.stamp())) {
        return Optional.of(volume.getId());
      }
    }
    return clock.wasSetBackSince(start)
        ? Optional.of(watched.getFirst().getId())
        : Optional.empty();
  }

  private boolean isUnchanged(Record volume, Instant moment) throws IOException {
    Path path = data.apply(volume);
    return volume.getBacking() == Backing.DIRECTORY
        ? trees.isUnchangedSince(path, moment)
        : ChangeClock.changed(path).isBefore(moment);
  }

  /** Lets them go on; never fails, and does nothing the second time. */
  @Override
  public void close() {
    held.close();
  }
}
