package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A path on the node as a node call names it: target, staging or volume path. It is the caller's:
 * absolute, as this process sees it, and its last component is never a followed link (rule K2).
 *
 * <p>Two spellings of one path would get two locks, so only one is accepted: without {@code .},
 * {@code ..}, a double slash, or a slash at the end.
 *
 * <p>Immutable. The caller holds the lock of the target while a method makes or removes something.
 *
 * @since 0.1.0
 */
public final class TargetPath {
  /** The kernel's 4096 count the byte that ends the name. */
  private static final int MAX_PATH_BYTES = 4095;

  private static final int MAX_NAME_BYTES = 255;
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwxr-x---");
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-r-----");

  private final String field;
  private final Path path;

  private TargetPath(String field, Path path) {
    this.field = field;
    this.path = path;
  }

  /**
   * Checks a path of a request.
   *
   * @param field the field's name, for the sentence, for example {@code target_path}
   * @param value the field's value
   * @throws CsiException INVALID_ARGUMENT if the value is empty, relative, not normalised, the root
   *     directory, holds a NUL, or is longer than the kernel takes: 4095 bytes, 255 each component
   * @since 0.1.0
   */
  public static TargetPath of(String field, String value) {
    return of(field, value, FileSystems.getDefault());
  }

  static TargetPath of(String field, String value, FileSystem fileSystem) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (value.isEmpty()) {
      throw refusal(field, "is missing");
    }
    if (!value.startsWith("/")) {
      throw refusal(field, "must be an absolute path");
    }
    if (value.indexOf('\0') >= 0) {
      throw refusal(field, "must not hold a NUL character");
    }
    if (bytes.length > MAX_PATH_BYTES) {
      throw refusal(field, "must not be longer than " + MAX_PATH_BYTES + " bytes");
    }
    for (String component : value.substring(1).split("/", -1)) {
      if (component.isEmpty() || component.equals(".") || component.equals("..")) {
        throw refusal(
            field,
            value.equals("/")
                ? "must not be the root directory"
                : "must be normalised: without . and .., a double slash or one at the end");
      }
      if (component.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
        throw refusal(field, "must not have a component longer than " + MAX_NAME_BYTES + " bytes");
      }
    }
    try {
      return new TargetPath(field, RawPaths.decode(fileSystem, bytes, 0, bytes.length));
    } catch (InvalidPathException e) {
      throw refusal(field, "is no path of this system");
    }
  }

  /**
   * The path: absolute, normalised, not looked up yet.
   *
   * @since 0.1.0
   */
  public Path path() {
    return path;
  }

  /**
   * Makes the directory with mode 0750, whatever this process's umask, unless it is there. A mount
   * point that is in use counts as there and is not looked at: {@link Mounter#bind} judges it.
   *
   * @param mounter tells whether something is mounted at the path
   * @return whether this call made it, so that a roll-back removes nothing else
   * @throws CsiException FAILED_PRECONDITION if the parent is missing (kubelet makes that of a
   *     target) or something else than a directory is there, a link to one included; INTERNAL if it
   *     can't be made
   * @since 0.1.0
   */
  public boolean createDirectory(Mounter mounter) {
    return create(mounter, true);
  }

  /**
   * Refuses a path that is no directory, as a staging path has to be one. A mount point counts as
   * one and is not looked at.
   *
   * @param mounter tells whether something is mounted at the path
   * @throws CsiException INVALID_ARGUMENT if nothing is there, or something else, a link to a
   *     directory included
   * @since 0.1.0
   */
  public void requireDirectory(Mounter mounter) {
    if (mounter.mountAt(path).isEmpty() && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw refusal(field, "must be a directory that exists");
    }
  }

  /**
   * Makes an empty file with mode 0640 for a block volume's device to be bound onto, unless there
   * is one; else as {@link #createDirectory}.
   *
   * @param mounter tells whether something is mounted at the path
   * @return whether this call made it
   * @throws CsiException as {@link #createDirectory}
   * @since 0.1.0
   */
  public boolean createFile(Mounter mounter) {
    return create(mounter, false);
  }

  /**
   * Removes the target if it is there: an empty directory by rmdir or an empty file by unlink,
   * never more (rule K1). Not for a staging directory, which is the caller's.
   *
   * @param mounter tells whether something is mounted at the path
   * @throws CsiException FAILED_PRECONDITION if something is mounted at it, or it is a directory or
   *     file with contents, a link, or a special file: nobody's to delete; INTERNAL if it can't be
   *     removed
   * @since 0.1.0
   */
  public void remove(Mounter mounter) {
    if (mounter.mountAt(path).isPresent()) {
      throw CsiException.failedPrecondition(field + ": something is mounted at the path");
    }
    try {
      BasicFileAttributes found = attributes();
      if (found.isSymbolicLink() || found.isOther()) {
        throw CsiException.failedPrecondition(
            field + ": neither a directory nor a file lies at the path; it was not removed");
      }
      if (found.isRegularFile() && found.size() > 0) {
        throw CsiException.failedPrecondition(
            field + ": the file at the path is not empty; it was not removed");
      }
      Files.delete(path);
    } catch (NoSuchFileException e) {
      // That is what was asked for.
    } catch (DirectoryNotEmptyException e) {
      throw CsiException.failedPrecondition(
          field + ": the directory at the path is not empty; it was not removed");
    } catch (IOException e) {
      if (!MountPlace.leadsThroughFile(path.getParent())) {
        throw CsiException.internal(field + ": the path can't be removed", e);
      }
    }
  }

  /** Compares the paths. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TargetPath that && path.equals(that.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private boolean create(Mounter mounter, boolean directory) {
    try {
      // Both calls are exclusive and neither follows a link or asks what is mounted there.
      if (directory) {
        Files.createDirectory(path);
      } else {
        Files.createFile(path);
      }
      setMode(directory ? DIRECTORY_MODE : FILE_MODE);
      return true;
    } catch (FileAlreadyExistsException e) {
      if (mounter.mountAt(path).isEmpty()) {
        requireKind(directory);
      }
      return false;
    } catch (NoSuchFileException e) {
      throw CsiException.failedPrecondition(field + ": the parent directory does not exist");
    } catch (IOException e) {
      if (MountPlace.leadsThroughFile(path.getParent())) {
        throw CsiException.failedPrecondition(field + ": a component before the last is a file");
      }
      throw CsiException.internal(field + ": the path can't be made", e);
    }
  }

  /** Afterwards, since what is asked for at creation passes through the umask. */
  private void setMode(Set<PosixFilePermission> mode) throws IOException {
    try {
      Files.setPosixFilePermissions(path, mode);
    } catch (IOException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  private void requireKind(boolean directory) {
    try {
      BasicFileAttributes found = attributes();
      if (directory ? found.isDirectory() : found.isRegularFile()) {
        return;
      }
    } catch (IOException e) {
      throw CsiException.internal(field + ": the path can't be read", e);
    }
    throw CsiException.failedPrecondition(
        field
            + ": something else than a "
            + (directory ? "directory" : "regular file")
            + " lies at the path");
  }

  private BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static CsiException refusal(String field, String sentence) {
    return CsiException.invalidArgument(field + " " + sentence);
  }
}
