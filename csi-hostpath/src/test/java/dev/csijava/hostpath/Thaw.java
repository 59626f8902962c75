package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Whether a file system takes writes: one that is frozen lets the writer wait for ever. */
final class Thaw {
  private static final long SECONDS = 20;

  private Thaw() {}

  static void assertTakesWrites(Path directory) {
    CompletableFuture<Void> write = CompletableFuture.runAsync(() -> write(directory));
    assertThat(write).as("%s is frozen", directory).succeedsWithin(SECONDS, TimeUnit.SECONDS);
  }

  private static void write(Path directory) {
    try {
      Path probe = directory.resolve("probe");
      Files.writeString(probe, "x");
      Files.delete(probe);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
