package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is run, and how its answers are judged. */
class ProgramRemounterTest {
  private final FileSystem fileSystem = Jimfs.newFileSystem(Configuration.unix());
  private final Path staged = fileSystem.getPath("/staged");
  private final List<List<String>> commands = new ArrayList<>();
  private final List<String> table =
      new ArrayList<>(
          List.of(
              FakeKernel.ROOT_LINE,
              "2 1 0:39 / /staged rw,noatime,nosuid - tmpfs memory rw,size=16k",
              "3 1 0:39 / /reader ro,noatime - tmpfs memory rw,size=16k"));
  private ProgramResult answer = ProgramResult.exited(0, "", "");
  private final ProgramRemounter remounter =
      new ProgramRemounter(
          (command, deadline) -> {
            commands.add(command.arguments());
            return answer;
          },
          this::read,
          Duration.ofSeconds(5));

  private MountTable read() {
    return MountTable.parse(String.join("\n", table).getBytes(StandardCharsets.UTF_8), fileSystem);
  }

  @AfterEach
  void close() throws IOException {
    fileSystem.close();
  }

  private static CsiException failure(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error;
  }

  @Test
  void theOptionsOfTheMountAreHandedOnSoThatTheyStay() {
    remounter.remount(staged, List.of("size=32k", "nr_inodes=9"));

    assertThat(commands)
        .containsExactly(
            List.of(
                "mount",
                "-n",
                "-c",
                "--options-mode",
                "ignore",
                "-o",
                "remount,noatime,nosuid,size=32k,nr_inodes=9",
                "--",
                "/staged"));
  }

  @Test
  void aFileSystemThatIsReadOnlyAsAWholeStaysSo() {
    table.set(1, "2 1 0:39 / /staged ro - tmpfs memory ro,size=16k");

    remounter.remount(staged, List.of("size=32k"));

    assertThat(commands.get(0)).contains("remount,ro,size=32k");
  }

  @Test
  void aPathThatIsReadOnlyByItselfIsRefusedSinceTheWholeFileSystemWouldBe() {
    CsiException error =
        failure(() -> remounter.remount(fileSystem.getPath("/reader"), List.of("size=32k")));

    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(error).hasMessageContaining("writable elsewhere");
    assertThat(commands).isEmpty();
  }

  @Test
  void onlyOptionsOfTheFileSystemAreTaken() {
    for (String option :
        List.of("ro", "bind", "size=1k,remount", "x-mount.mkdir", "", "nosuid", "a\0b")) {
      assertThat(failure(() -> remounter.remount(staged, List.of(option))).code())
          .as(option)
          .isEqualTo(Code.INVALID_ARGUMENT);
    }
    assertThat(failure(() -> remounter.remount(staged, List.of())).code())
        .isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(commands).isEmpty();
  }

  @Test
  void nothingIsRunWhereNothingIsMounted() {
    assertThat(
            failure(() -> remounter.remount(fileSystem.getPath("/other"), List.of("size=1k")))
                .code())
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(commands).isEmpty();
  }

  @Test
  void whatTheProgramReportsIsToldWithoutTheOptions() {
    answer = ProgramResult.exited(32, "", "mount: /staged: mount point not mounted or bad option.");
    CsiException refused = failure(() -> remounter.remount(staged, List.of("key=secret-key")));
    assertThat(refused.code()).isEqualTo(Code.INTERNAL);
    assertThat(refused).hasMessageContaining("bad option");

    answer = new ProgramResult(-1, true, false, "", "");
    assertThat(failure(() -> remounter.remount(staged, List.of("size=1k"))).code())
        .isEqualTo(Code.UNAVAILABLE);
  }

  @Test
  void aMountThatLostAnOptionIsNoSuccess() {
    ProgramRemounter forgetful =
        new ProgramRemounter(
            (command, deadline) -> {
              table.set(1, "2 1 0:39 / /staged rw,nosuid - tmpfs memory rw,size=32k");
              return answer;
            },
            this::read,
            Duration.ofSeconds(5));

    assertThat(failure(() -> forgetful.remount(staged, List.of("size=32k"))).code())
        .isEqualTo(Code.UNAVAILABLE);
  }
}
