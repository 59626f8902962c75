package dev.csijava.testkit.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What people are told of a file: a sentence. The exceptions often name the file alone. */
final class FileText {
  private FileText() {}

  static String of(IOException e) {
    if (!(e instanceof FileSystemException file) || file.getReason() != null) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
    String what =
        e instanceof NoSuchFileException
            ? "does not exist"
            : e instanceof AccessDeniedException
                ? "may not be used by this user"
                : e instanceof FileAlreadyExistsException
                    ? "is something else already"
                    : e instanceof NotDirectoryException
                        ? "is no directory"
                        : "can't be used (" + e.getClass().getSimpleName() + ")";
    return file.getFile() + " " + what;
  }
}
