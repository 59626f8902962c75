package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.FileSystemRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewFileSystemTest {
  private static Optional<NewFileSystem> of(String... options) {
    return NewFileSystem.of(new FileSystemRequest("any", "tmpfs", List.of(options)));
  }

  @Test
  void optionsAreOfTheMountOrOfTheFileSystemAndTheLastCounts() {
    NewFileSystem wanted =
        of("ro,nosuid,suid", "noexec", "relatime,noatime", "size=1m", "huge").orElseThrow();
    assertThat(wanted.attributes()).isEqualTo(0x1 | 0x8 | 0x10);
    assertThat(wanted.parameters())
        .extracting(NewFileSystem.Parameter::name)
        .containsExactly("ro", "size", "huge");
    assertThat(wanted.parameters().get(1).value()).contains("1m");
    assertThat(of("ro", "rw").orElseThrow().attributes()).isZero();
  }

  @Test
  void whatTheProgramUnderstandsIsLeftToIt() {
    for (String option :
        List.of("loop", "nofail", "x-systemd.automount", "context=a", "a=", "=a", "a=\"b", "ü")) {
      assertThat(of(option)).as(option).isEmpty();
    }
    assertThat(of("a=" + "x".repeat(300))).isEmpty();
  }

  @Test
  void theValuesOfOptionsAreNotRepeated() {
    NewFileSystem wanted = of("password=swordfish", "a=b").orElseThrow();
    assertThat(wanted.redact("bad value swordfish for password"))
        .isEqualTo("bad value *** for password");
    assertThat(wanted.toString()).doesNotContain("swordfish");
    assertThat(wanted.parameters().toString()).doesNotContain("swordfish");
  }
}
