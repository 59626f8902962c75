package dev.csijava.hostpath.store;

import java.io.IOException;
import java.nio.file.Path;

/** Another driver process works on the state directory. */
public final class StateInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  StateInUseException(Path root) {
    super(
        "the state directory "
            + root
            + " is in use by another process; stop that driver or give this one its own --statedir."
            + " Controller and node of the same volumes are one process, with --mode=all");
  }
}
