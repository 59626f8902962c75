package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps a publication from hiding somebody's files. */
final class EmptyTarget {
  private EmptyTarget() {}

  /**
   * @param file whether the target is a file
   * @throws CsiException FAILED_PRECONDITION if there is anything in it
   */
  static void require(boolean file, Path target) {
    if (!file) {
      EmptyDirectory.require("target_path", target);
      return;
    }
    try {
      if (Files.size(target) > 0) {
        throw CsiException.failedPrecondition(
            "target_path: the file is not empty; a device would hide what is in it");
      }
    } catch (IOException e) {
      throw CsiException.internal("target_path: the file can't be read", e);
    }
  }
}
