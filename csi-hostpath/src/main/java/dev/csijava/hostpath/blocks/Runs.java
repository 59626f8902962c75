package dev.csijava.hostpath.blocks;

import java.io.IOException;
import java.util.Optional;

/** The stretches of a file, one behind the other without a gap, up to a size that is asked for. */
@FunctionalInterface
interface Runs {
  /** The next one; empty at the end. */
  Optional<Run> next() throws IOException;
}
