package dev.csijava.nativeio;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells of mounts, without touching what is mounted. */
interface MountReader {
  /** Which of its two numbers of a mount this reader takes, in statx's own bits. */
  int kindOfId();

  /** The mount with this number; empty if there is none any more. */
  Optional<Mounted> byId(long id) throws IOException;

  /** The same, but only what each mount and unmount has to know. */
  Optional<MountFacts> facts(long id) throws IOException;

  /**
   * The mount with this number and those beneath it at the same place, the topmost last.
   *
   * @return empty if there is no mount with this number any more
   */
  List<Mounted> stackUnder(long id) throws IOException;

  /**
   * Refuses a path at which a mount lies that something further up the tree covers, so that it
   * can't be reached by the path.
   *
   * @param target where nothing is seen to be mounted
   * @param place the same, opened; null if the directory that it would lie in does not exist
   * @throws dev.csijava.core.CsiException FAILED_PRECONDITION, naming what hides it
   */
  void requireNothingHidden(Path target, @Nullable Place place) throws IOException;

  /** The quickest that this kernel has. */
  static MountReader system() {
    return StatmountReader.works() ? new StatmountReader() : new TableReader();
  }
}
