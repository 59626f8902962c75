package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions.Flag;
import io.grpc.Status.Code;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountOptionsTest {
  @Test
  @DisplayName("B118 known flags are read, alone or with commas between")
  void knownFlagsAreRead() {
    assertThat(MountOptions.parse(List.of("noexec,nodev", "nosuid", "noatime", "defaults")))
        .isEqualTo(MountOptions.of(Flag.NOEXEC, Flag.NODEV, Flag.NOSUID, Flag.NOATIME));
    assertThat(MountOptions.parse(List.of())).isEqualTo(MountOptions.NONE);
    assertThat(MountOptions.parse(List.of("ro")).readOnly()).isTrue();
    assertThat(Flag.NOEXEC.option()).isEqualTo("noexec");
    assertThat(MountOptions.NONE.withReadOnly()).isEqualTo(MountOptions.of(Flag.RO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bogus", "noexec,bogus", "uid=0", "--bind", "nosuid nodev"})
  @DisplayName("B120 unknown flags are refused, never dropped")
  void unknownFlagsAreRefused(String flag) {
    CsiException error =
        catchThrowableOfType(CsiException.class, () -> MountOptions.parse(List.of(flag)));
    assertThat(error.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(error).hasMessageContaining("mount_flags").hasMessageContaining("noatime, nodev");
  }
}
