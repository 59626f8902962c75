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
import java.util.Optional;

/** Turns a failure of the disk into the status of a call that left nothing behind. */
public final class DiskErrors {
  private DiskErrors() {}

  /**
   * RESOURCE_EXHAUSTED if the disk or a quota is full, OUT_OF_RANGE if the file system can't hold a
   * file of that size, else INTERNAL.
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
    if (isTooLarge(failure)) {
      return new CsiException(
          io.grpc.Status.Code.OUT_OF_RANGE,
          "could not "
              + what
              + ": the file system of the state directory can't hold a file of this size",
          failure);
    }
    return CsiException.internal("could not " + what + ": " + reason(failure), failure);
  }

  /** Whether the file system can't hold a file of the size that was asked for. */
  public static boolean isTooLarge(IOException failure) {
    return systemCall(failure)
        .map(call -> call.is(Errno.EFBIG))
        .orElseGet(() -> String.valueOf(failure.getMessage()).contains("File too large"));
  }

  // Java has no type of its own for ENOSPC, EDQUOT and EFBIG, only the C library's words.
  private static boolean isFull(IOException failure) {
    return systemCall(failure)
        .map(call -> call.is(Errno.ENOSPC, Errno.EDQUOT))
        .orElseGet(() -> saysFull(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT)));
  }

  private static boolean saysFull(String words) {
    return words.contains("no space left on device")
        || words.contains("disk quota exceeded")
        || words.contains("out of disk space");
  }

  private static Optional<LinuxException> systemCall(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LinuxException call) {
        return Optional.of(call);
      }
    }
    return Optional.empty();
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
