package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.spec.v1.CapacityRange;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeSizesTest {
  private static final long MIB = 1L << 20;
  private static final VolumeSizes SIZES = new VolumeSizes(1L << 40, 1L << 30);

  private static CapacityPlanner of(String kind) {
    return SIZES.of(
        switch (kind) {
          case "directory" -> new BackingChoice(Backing.DIRECTORY, null);
          case "block" -> new BackingChoice(Backing.BLOCK, null);
          case "ext4" -> new BackingChoice(Backing.IMAGE, FileSystemType.EXT4);
          default -> new BackingChoice(Backing.IMAGE, FileSystemType.XFS);
        });
  }

  private static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  @ParameterizedTest
  @CsvSource({
    "directory, 1, 0, 1",
    "directory, 1073741825, 0, 1073741825",
    "block, 1, 0, 4096",
    "block, 4096, 4096, 4096",
    "block, 1073741825, 0, 1073745920",
    "ext4, 1, 0, 1048576",
    "ext4, 1048577, 0, 1052672",
    "ext4, 0, 1048577, 1048576",
    "ext4, 1048576, 1048576, 1048576",
    "xfs, 1, 0, 314572800",
    "xfs, 314572801, 0, 314576896"
  })
  @DisplayName("odd and tiny sizes are rounded up to what the kind needs (B093, B094, B096)")
  void sizesArePlannedToThePage(String kind, long required, long limit, long planned) {
    assertThat(of(kind).plan(range(required, limit))).isEqualTo(planned);
  }

  @ParameterizedTest
  @CsvSource({
    "block, 1, 4095",
    "block, 4097, 4097",
    "ext4, 1, 1048575",
    "ext4, 1048577, 1048577",
    "xfs, 1, 314572799",
    "xfs, 1048576, 1048576",
    "ext4, 1099511627777, 0"
  })
  @DisplayName("a range that holds no such size is OUT_OF_RANGE with a sentence (B091)")
  void aRangeWithoutSuchASizeIsOutOfRange(String kind, long required, long limit) {
    assertFails(Status.Code.OUT_OF_RANGE, () -> of(kind).plan(range(required, limit)));
  }

  @Test
  void withoutASizeTheDefaultIsTaken() {
    assertThat(of("ext4").plan(null)).isEqualTo(1L << 30);
    assertThat(
            new VolumeSizes(400 * MIB, 100 * MIB)
                .of(new BackingChoice(Backing.IMAGE, FileSystemType.XFS))
                .plan(null))
        .isEqualTo(300 * MIB);
  }

  @Test
  void aDriverForSmallVolumesMakesNoXfs() {
    VolumeSizes small = new VolumeSizes(100 * MIB + 1, MIB);

    assertFails(
        Status.Code.OUT_OF_RANGE,
        () -> small.of(new BackingChoice(Backing.IMAGE, FileSystemType.XFS)));
    assertThat(small.of(new BackingChoice(Backing.BLOCK, null)).maximumBytes())
        .isEqualTo(100 * MIB);
  }
}
