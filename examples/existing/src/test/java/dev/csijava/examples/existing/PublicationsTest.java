package dev.csijava.examples.existing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What was bound where. */
class PublicationsTest {
  private static final Path ONE = Path.of("/pods/one/mount");
  private static final Path TWO = Path.of("/pods/two/mount\nwith a line");

  @Test
  void targetsAreRememberedAcrossARestart() throws IOException {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path run = Files.createDirectory(files.getPath("/run-directory"));
      Publications publications = new Publications(run);
      publications.put("volume", ONE);
      publications.put("volume", TWO);
      publications.put("another", Path.of("/pods/three"));

      Publications restarted = new Publications(run);

      assertThat(restarted.volumeAt(TWO)).contains("volume");
      assertThat(restarted.others("volume", ONE)).containsExactly(TWO);
      restarted.remove(TWO);
      restarted.remove(TWO);
      assertThat(restarted.others("volume", ONE)).isEmpty();
      assertThat(restarted.volumeAt(TWO)).isEmpty();
    }
  }

  @Test
  void whatACrashLeftHalfWrittenIsNoPublication() throws IOException {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path run = Files.createDirectory(files.getPath("/run-directory"));
      Files.writeString(run.resolve(".half"), "volume");

      assertThat(new Publications(run).others("volume", ONE)).isEmpty();
    }
  }
}
