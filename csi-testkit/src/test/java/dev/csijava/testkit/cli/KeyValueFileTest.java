package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** What a reader of YAML would understand otherwise, or not at all, must not become a secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "key: |\n",
        "key: >-\n  folded\n",
        "key: [a, b]\n",
        "key: {a: b}\n",
        "key: &anchor x\n",
        "key: *anchor\n",
        "key: \"a\\tb\"\n",
        "key: 'it''s'\n",
        "key: \"a\" b\n",
        "key:value\n",
        "- key: value\n- other: x\n  third: y\n",
        "  key: value\n",
        "key: value\n  inner: lost\n",
        "{\"key\": [\"a\"]}",
        "{\"key\": null}",
        "{\"key\": 12345678901234567890}",
      })
  void refusesWhatItWouldMisread(String text) throws IOException {
    Path file = write(text);
    assertThatThrownBy(() -> KeyValueFile.flat(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void commentsAreNoPartOfAValue() throws IOException {
    assertThat(
            KeyValueFile.flat(
                write("a: x # the fast one\nb: \"y # z\" # quoted\nc: p#q\n'd: e': -1\n")))
        .isEqualTo(Map.of("a", "x", "b", "y # z", "c", "p#q", "d: e", "-1"));
    assertThat(KeyValueFile.secrets(write("CreateVolumeSecret: # admin\n  user: me\n")))
        .isEqualTo(Map.of("CreateVolume", Map.of("user", "me")));
  }

  @Test
  void secretsOfNoRpcAreASlipOfThePen() throws IOException {
    Path file = write("CreateVolumSecret:\n  user: me\n");
    assertThatThrownBy(() -> KeyValueFile.secrets(file))
        .hasMessageContaining("CreateVolumSecret is named after no RPC");
    assertThat(KeyValueFile.secrets(write("createvolumeSecret:\n  user: me\n")))
        .containsKey("CreateVolume");
    Path deep = write("CreateVolumeSecret:\n  user:\n    name: me\n");
    assertThatThrownBy(() -> KeyValueFile.secrets(deep)).hasMessageContaining("line 2");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("values"), text);
  }
}
