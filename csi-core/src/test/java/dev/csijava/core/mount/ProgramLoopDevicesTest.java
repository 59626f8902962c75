package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLoopDevicesTest {
  @TempDir Path directory;

  /** What losetup lists for the image, a line a device. */
  private final List<String> listed = new ArrayList<>();

  private final List<String> commands = new ArrayList<>();
  private ProgramResult answer = ProgramResult.exited(0, "", "");
  private String appears = "";
  private LoopDevices loops;
  private Path image;

  @BeforeEach
  void setUp() throws IOException {
    image = Files.createFile(directory.resolve("image"));
    loops = new ProgramLoopDevices(this::losetup, Duration.ofSeconds(5));
  }

  private ProgramResult losetup(ProgramCommand command, Duration deadline) {
    commands.add(command.toString());
    if (command.arguments().contains("--list")) {
      return ProgramResult.exited(0, String.join("\n", listed), "");
    }
    if (command.arguments().contains("--find") && !appears.isEmpty()) {
      listed.add(appears);
    }
    if (command.arguments().contains("--detach") && answer.succeeded()) {
      listed.clear();
    }
    return answer;
  }

  private CsiException failure(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error;
  }

  @Test
  @DisplayName("B112 a device without a node is an error that says what to do, and is released")
  void aDeviceWithoutANodeIsReleased() {
    appears = "/dev/no-such-loop7 0 0 0 1 " + image;
    CsiException error = failure(() -> loops.attach(image, false));
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error).hasMessageContaining("/dev/no-such-loop7 does not appear");
    assertThat(listed).isEmpty();
  }

  @Test
  void successWithoutADeviceIsAnErrorAndFailureWithOneIsNone() {
    assertThat(failure(() -> loops.attach(image, false))).hasMessageContaining("not attached");
    answer = ProgramResult.exited(1, "", "strange things happened");
    assertThat(failure(() -> loops.attach(image, false))).hasMessageContaining("strange things");
    appears = "/dev/null 0 0 0 1 " + image;
    assertThat(loops.attach(image, false).node()).isEqualTo(Path.of("/dev/null"));
  }

  @Test
  void anImageThatIsAttachedTwiceIsNeverGuessedAt() {
    listed.add("/dev/loop1 0 0 0 1 " + image);
    listed.add("/dev/loop2 0 0 0 1 " + image);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> loops.attach(image, false), () -> loops.find(image), () -> loops.detach(image))) {
      CsiException error = failure(call);
      assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
      assertThat(error).hasMessageContaining("/dev/loop1, /dev/loop2");
    }
    assertThat(commands).noneMatch(command -> command.contains("--detach"));
  }

  @Test
  void aListThatIsNotUnderstoodIsNotTakenForEmpty() {
    listed.add("/dev/loop1 0");
    assertThat(failure(() -> loops.find(image)).code()).isEqualTo(Code.UNAVAILABLE);
  }

  @Test
  void whatWasNotReleasedIsAnError() {
    listed.add("/dev/loop1 0 0 0 1 " + image);
    answer = ProgramResult.exited(1, "", "losetup: /dev/loop1: detach failed");
    assertThat(failure(() -> loops.detach(image)).code()).isEqualTo(Code.INTERNAL);
  }
}
