package dev.csijava.core.mount;

import java.nio.file.Path;
import java.util.Optional;

/** What a mount call is to bring about, and how to tell whether it did. */
interface Wanted {
  /** A directory or a file: what the target has to be. */
  FileIdentity.Kind kind();

  /** The program that brings it about. */
  ProgramCommand command(Path target);

  /**
   * Whether a mount that somebody made before shows the same. Never asks a file system that the
   * source does not lie on, so that a dead one at the target hangs nobody.
   *
   * @param mount the topmost mount at the target
   */
  boolean isShownBy(Mount mount, Path target);

  /** The same for a mount that was not there before the command ran. */
  boolean cameAs(Mount mount, Path target);

  /** How its options differ from those asked for, in words that finish "the mount is". */
  Optional<String> difference(Mount mount);

  /** What it lost of the source's own restrictions, in the same words; asked of a new mount. */
  Optional<String> loss(Mount mount);
}
