package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {
  @Test
  @DisplayName("K7: two drivers have loop devices of their own, though both call their state alike")
  void theMarkOfLoopDevicesIsThatOfTheDirectoryNotOfItsPath(@TempDir Path root) throws IOException {
    Path path = Files.createDirectory(root.resolve("csi-data-dir"));
    String first = Host.tag(path);
    Path moved = Files.move(path, root.resolve("of-another-container"));
    Files.createDirectory(path);

    assertThat(Host.tag(path)).isNotEqualTo(first);
    assertThat(Host.tag(moved)).isEqualTo(first).matches("csi-hostpath:[0-9a-f]{16}");
    assertThat(Host.tag(Files.createSymbolicLink(root.resolve("link"), moved))).isEqualTo(first);
  }
}
