package dev.csijava.examples.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The credentials of one mount in a file that only root can read, for as long as the helper needs
 * it. Options of mount(8) are no place for a secret: every process of the node sees them.
 */
final class CredentialsFile implements AutoCloseable {
  private static final String PREFIX = "credentials-";

  private final Path path;

  private CredentialsFile(Path path) {
    this.path = path;
  }

  /**
   * Writes one.
   *
   * @param directory made if it is missing
   * @param text in the form that the helper reads
   */
  static CredentialsFile write(Path directory, String text) throws IOException {
    Files.createDirectories(directory);
    CredentialsFile file =
        new CredentialsFile(
            Files.createTempFile(
                directory,
                PREFIX,
                "",
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------"))));
    try {
      Files.write(file.path, text.getBytes(StandardCharsets.UTF_8));
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** Removes what a process left that was killed meanwhile. */
  static void sweep(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}
