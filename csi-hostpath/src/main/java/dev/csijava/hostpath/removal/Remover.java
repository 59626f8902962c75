package dev.csijava.hostpath.removal;

import dev.csijava.nativeio.OpenDirectory;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Empties the trash folder once. */
@FunctionalInterface
interface Remover {
  /** Removes what can be removed; what can't stays for the next start, with a line in the log. */
  void empty();

  /** By system calls where this process can, else by what the Java library knows. */
  static Remover of(Path trash, BooleanSupplier stopped) {
    boolean here = trash.getFileSystem().equals(FileSystems.getDefault());
    return here && OpenDirectory.unavailable().isEmpty()
        ? new DescriptorRemover(trash, stopped)
        : new TreeRemover(trash, stopped);
  }
}
