package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathsTest {
  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a b/c%20d", "/größe-日本/x", "/new\nline/😀", "/?/#/é"})
  void bytesBecomeAPathAndTheSameBytesAgain(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(RawPaths.bytes(RawPaths.of(bytes))).isEqualTo(bytes);
  }

  @Test
  void bytesThatAreNoUtf8AreKept() {
    byte[] bytes = {'/', 'a', (byte) 0xff, '/', (byte) 0x80, '%'};
    Path path = RawPaths.of(bytes);
    assertThat(path.getNameCount()).isEqualTo(2);
    assertThat(RawPaths.bytes(path)).isEqualTo(bytes);
  }

  @Test
  void relativePathsHaveNoBytes() {
    assertThatThrownBy(() -> RawPaths.bytes(Path.of("a")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
