package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps a mount from hiding somebody's files. */
final class EmptyDirectory {
  private EmptyDirectory() {}

  /**
   * @param field the field of the request that names the directory
   * @throws CsiException FAILED_PRECONDITION if there is anything in it
   */
  static void require(String field, Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw CsiException.failedPrecondition(
            field + ": the directory is not empty; a mount would hide what is in it");
      }
    } catch (IOException e) {
      throw CsiException.internal(field + ": the directory can't be read", e);
    }
  }
}
