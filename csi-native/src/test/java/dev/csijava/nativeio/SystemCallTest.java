package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SystemCallTest {
  @Test
  void numbersAreDifferentOnEachProcessor() {
    for (Architecture architecture :
        new Architecture[] {Architecture.X86_64, Architecture.AARCH64}) {
      assertThat(Arrays.stream(SystemCall.values()).map(call -> call.number(architecture)))
          .doesNotHaveDuplicates();
    }
    assertThatThrownBy(() -> SystemCall.STATX.number(Architecture.OTHER))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void processorsAreKnownByTheNamesOfTheJvm() {
    assertThat(Architecture.of("amd64")).isEqualTo(Architecture.X86_64);
    assertThat(Architecture.of("aarch64")).isEqualTo(Architecture.AARCH64);
    assertThat(Architecture.of("riscv64")).isEqualTo(Architecture.OTHER);
  }

  /** Its number may be another's by then. */
  @Test
  void aCloseThatWasInterruptedIsNotMadeAgain() {
    assertThat(SystemCall.values())
        .filteredOn(call -> !call.isRepeatable())
        .containsExactly(SystemCall.CLOSE);
  }

  @Test
  void anErrorIsNamedWithItsCall() {
    assertThat(new LinuxException(SystemCall.MOVE_MOUNT, Errno.EBUSY))
        .hasMessage("move_mount answered EBUSY");
    assertThat(Errno.name(Errno.ELOOP)).isEqualTo("ELOOP");
    assertThat(Errno.name(Errno.ENOSYS)).isEqualTo("ENOSYS");
    assertThat(Errno.name(Errno.ENAMETOOLONG)).isEqualTo("ENAMETOOLONG");
    assertThat(Errno.name(4711)).isEqualTo("errno 4711");
  }
}
