package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The image without a container engine: its root file system, its init, the driver in it. */
class ContainerImageIT {
  @Test
  @Tag("exhaustive")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void theDriverInTheImagePassesTheKit(@TempDir Path directory) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder("../bin/check-image")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("CSI_BUILD", "never");
    builder.environment().put("TMPDIR", directory.toRealPath().toString());
    Process process = builder.start();
    try {
      assertThat(process.waitFor()).as(() -> read(output)).isZero();
    } finally {
      // Its own end takes the driver, the mounts and the files with it.
      process.destroy();
      process.waitFor();
    }
    assertThat(output).content().contains(" 0 failed, ").endsWith("== the image passes\n");
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "no output: " + e.getMessage();
    }
  }
}
