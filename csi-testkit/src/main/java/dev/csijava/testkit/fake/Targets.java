package dev.csijava.testkit.fake;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What stands at target paths: a directory, or a file for block. Nothing is mounted. */
final class Targets {
  private Targets() {}

  static void make(Path target, boolean block) {
    try {
      if (block) {
        Files.createFile(target);
      } else {
        Files.createDirectory(target);
      }
    } catch (FileAlreadyExistsException e) {
      boolean fits =
          block
              ? Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
              : Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS);
      if (!fits) {
        throw Failure.invalid("something else stands at target_path");
      }
    } catch (IOException e) {
      throw Failure.internal("the target can't be made: " + e.getMessage());
    }
  }

  /** By rmdir or unlink only, so that nothing is lost which others put there. */
  static void remove(Path target) {
    try {
      boolean foreign =
          Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS) && Files.size(target) > 0;
      if (foreign || Files.isSymbolicLink(target)) {
        throw Failure.internal("there is foreign content at target_path; it is left alone");
      }
      Files.deleteIfExists(target);
    } catch (DirectoryNotEmptyException e) {
      throw Failure.internal("there is foreign content at target_path; it is left alone");
    } catch (IOException e) {
      throw Failure.internal("the target can't be removed: " + e.getMessage());
    }
  }
}
