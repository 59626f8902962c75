package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyValueFileTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void readsTheYamlOfCsiSanity() throws IOException {
    Path file =
        write(
            """
            # what each call gets
            CreateVolumeSecret:
              user: admin
              password: "a: b"
            NodeStageVolumeSecret:
              key: 'x'
            ControllerValidateVolumeCapabilitiesSecret:
              key: y
            """);
    assertThat(KeyValueFile.secrets(file))
        .containsEntry("CreateVolume", Map.of("user", "admin", "password", "a: b"))
        .containsEntry("NodeStageVolume", Map.of("key", "x"))
        .containsEntry("ValidateVolumeCapabilities", Map.of("key", "y"));
  }

  @Test
  void readsJson() throws IOException {
    assertThat(KeyValueFile.flat(write("{\"kind\": \"fast\", \"size\": 3, \"on\": true}")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("kind", "fast", "size", "3", "on", "true"));
    assertThat(KeyValueFile.secrets(write("{\"CreateVolume\": {\"k\": \"v\"}}")))
        .containsEntry("CreateVolume", Map.of("k", "v"));
  }

  @Test
  void readsFlatYaml() throws IOException {
    assertThat(KeyValueFile.flat(write("kind: fast\nempty: \"\"\n")))
        .containsEntry("kind", "fast")
        .containsEntry("empty", "");
  }

  @Test
  void refusesTheRestWithTheLine() throws IOException {
    Path file = write("a: b\nnonsense\n");
    assertThatThrownBy(() -> KeyValueFile.flat(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> KeyValueFile.flat(directory.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("values"), text);
  }
}
