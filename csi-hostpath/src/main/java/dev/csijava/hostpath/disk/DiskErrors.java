package dev.csijava.hostpath.disk;

import dev.csijava.core.CsiException;
import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.LinuxException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Locale;

/** Turns a failure of the disk into the status of a call that left nothing behind. */
public final class DiskErrors {
  private DiskErrors() {}

  /**
   * RESOURCE_EXHAUSTED if the disk or a quota is full, else INTERNAL.
   *
   * @param what the step in words that fit behind "could not", for example {@code write the record}
   */
  public static CsiException nothingLeft(String what, IOException failure) {
    if (isFull(failure)) {
      return new CsiException(
          io.grpc.Status.Code.RESOURCE_EXHAUSTED,
          "could not " + what + ": no space left on the disk of the state directory",
          failure);
    }
    return CsiException.internal("could not " + what + ": " + reason(failure), failure);
  }

  /** Whether the file system can't hold a file of the size that was asked for. */
  public static boolean isTooLarge(IOException failure) {
    return (failure.getCause() instanceof LinuxException call && call.is(Errno.EFBIG))
        || String.valueOf(failure.getMessage()).contains("File too large");
  }

  // Java has no type of its own for ENOSPC and EDQUOT, only the C library's words.
  private static boolean isFull(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LinuxException call) {
        return call.is(Errno.ENOSPC, Errno.EDQUOT);
      }
    }
    String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return words.contains("no space left on device")
        || words.contains("disk quota exceeded")
        || words.contains("out of disk space");
  }

  /** What a failure is, in words: some exceptions of Java have a path for all message. */
  public static String reason(IOException failure) {
    String words = failure.getMessage();
    String kind =
        switch (failure) {
          case NoSuchFileException e -> "no such file or directory";
          case AccessDeniedException e -> "permission denied";
          case FileAlreadyExistsException e -> "it exists already";
          case NotDirectoryException e -> "not a directory";
          case UserPrincipalNotFoundException e -> "there is no such user or group";
          default -> failure.getClass().getSimpleName();
        };
    if (words == null || words.isBlank()) {
      return kind;
    }
    boolean bare = failure instanceof FileSystemException file && file.getReason() == null;
    return bare ? words + ": " + kind : words;
  }
}
