package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.ProbeResult.Blank;
import dev.csijava.core.mount.ProbeResult.Found;
import dev.csijava.core.mount.ProbeResult.Unknown;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFilesystemsTest {
  private static final ProgramResult NOTHING = ProgramResult.exited(2, "", "");
  private static final ProgramResult DONE = ProgramResult.exited(0, "", "");

  @TempDir Path directory;

  private final Deque<ProgramResult> answers = new ArrayDeque<>();
  private final List<String> commands = new ArrayList<>();
  private Filesystems filesystems;
  private Path image;

  @BeforeEach
  void setUp() throws IOException {
    image = Files.write(directory.resolve("image"), new byte[10_000]);
    filesystems =
        new ProgramFilesystems(
            (command, deadline) -> {
              commands.add(command.program());
              return answers.remove();
            },
            Duration.ofSeconds(5),
            1);
  }

  private ProbeResult probe(ProgramResult answer) {
    answers.add(answer);
    return filesystems.probe(image);
  }

  private static ProgramResult export(String... lines) {
    return ProgramResult.exited(0, String.join("\n", lines), "");
  }

  @Test
  @DisplayName("B009 only a quiet \"nothing\" over zeros is blank")
  void onlyAQuietNothingOverZerosIsBlank() throws IOException {
    assertThat(probe(NOTHING)).isEqualTo(new Blank());
    assertThat(probe(ProgramResult.exited(2, "", "I/O error"))).isInstanceOf(Unknown.class);
    assertThat(probe(ProgramResult.exited(8, "", ""))).isInstanceOf(Unknown.class);
    assertThat(probe(new ProgramResult(-1, true, false, "", ""))).isInstanceOf(Unknown.class);
    Files.write(image, new byte[] {0, 0, 7});
    assertThat(probe(NOTHING)).isInstanceOf(Unknown.class);
    Files.delete(image);
    assertThat(probe(NOTHING)).isInstanceOf(Unknown.class);
  }

  @Test
  void onlyAFileSystemIsOne() {
    assertThat(probe(export("UUID=1-2", "TYPE=ext4", "USAGE=filesystem")))
        .isEqualTo(new Found("ext4", "1-2"));
    assertThat(probe(export("TYPE=swap", "USAGE=other"))).isInstanceOf(Unknown.class);
    assertThat(probe(export("PTTYPE=gpt")))
        .isEqualTo(new Unknown("it holds gpt, which is no file system"));
  }

  @Test
  @DisplayName("B009 a thousand stagings of an unreadable device format nothing")
  void anUnreadableDeviceIsNeverFormatted() {
    for (int i = 0; i < 1000; i++) {
      answers.add(ProgramResult.exited(2, "", "I/O error"));
      CsiException error =
          catchThrowableOfType(
              CsiException.class, () -> filesystems.make(image, FileSystemType.EXT4, true));
      assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    }
    assertThat(commands).containsOnly("blkid");
  }

  @Test
  void whatWasFormattedBeforeIsNotEvenProbed() {
    assertThatThrownBy(() -> filesystems.make(image, FileSystemType.XFS, false))
        .hasMessageContaining("formatted before");
    assertThat(commands).isEmpty();
  }

  @Test
  void aFileSystemThatIsNotThereAfterwardsIsAnError() {
    answers.addAll(Arrays.asList(NOTHING, DONE, NOTHING));
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> filesystems.make(image, FileSystemType.EXT4, true));
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    answers.addAll(Arrays.asList(NOTHING, DONE, export("UUID=1", "TYPE=ext4", "USAGE=filesystem")));
    filesystems.make(image, FileSystemType.EXT4, true);
  }

  @Test
  void aCheckThatMendedIsFineAndOneThatCouldNotIsAnError() {
    answers.add(ProgramResult.exited(1, "", "fixed"));
    filesystems.check(image, FileSystemType.EXT4);
    answers.add(ProgramResult.exited(4, "", "left"));
    assertThatThrownBy(() -> filesystems.check(image, FileSystemType.EXT4))
        .hasMessageContaining("e2fsck answered 4");
    filesystems.check(image, FileSystemType.XFS);
  }

  @Test
  void anXfsThatWasNotUnmountedCleanlyIsNamed() {
    // As xfs_admin says it: with a line break, and with success.
    answers.add(ProgramResult.exited(0, "", "ERROR: a log which needs to\nbe replayed."));
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> filesystems.renewUuid(image, FileSystemType.XFS));
    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(error).hasMessageContaining("nouuid");
  }

  @Test
  void typesAreKnownByTheirNames() {
    assertThat(FileSystemType.of("ext4")).isEqualTo(FileSystemType.EXT4);
    assertThat(FileSystemType.XFS.typeName()).isEqualTo("xfs");
    assertThatThrownBy(() -> FileSystemType.of("ext3")).isInstanceOf(CsiException.class);
  }

  /** Rule K8: UNAVAILABLE where the outcome is unknown, or the caller would forget the volume. */
  @Test
  void whatAProgramThatTheKernelHoldsStillDoesIsNotKnown() {
    Map<Boolean, Code> codes = Map.of(true, Code.UNAVAILABLE, false, Code.INTERNAL);
    codes.forEach(
        (held, code) -> {
          ProgramResult late = new ProgramResult(-1, true, held, "", "");
          List<ThrowingCallable> calls =
              List.of(
                  () -> filesystems.check(image, FileSystemType.EXT4),
                  () -> filesystems.grow(image, directory, FileSystemType.EXT4),
                  () -> filesystems.growUnmounted(image, FileSystemType.EXT4),
                  () -> filesystems.renewUuid(image, FileSystemType.XFS));
          for (ThrowingCallable call : calls) {
            answers.add(late);
            CsiException error = catchThrowableOfType(CsiException.class, call);
            assertThat(error.code()).isEqualTo(code);
            assertThat(error).hasMessageContaining("did not end in time");
          }
          answers.add(NOTHING);
          answers.add(late);
          CsiException error =
              catchThrowableOfType(
                  CsiException.class, () -> filesystems.make(image, FileSystemType.EXT4, true));
          assertThat(error.code()).isEqualTo(code);
        });
  }
}
