package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.VolumeUsage.Amount;
import dev.csijava.spec.v1.VolumeUsage.Unit;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeUsageTest {
  @TempDir Path dir;

  private static UsageReader reader(ProgramResult result) {
    return new ProgramUsageReader((command, deadline) -> result, Duration.ofSeconds(1));
  }

  private static Code code(ThrowingCallable call) {
    return catchThrowableOfType(CsiException.class, call).code();
  }

  @Test
  void oneLineGivesBytesAndInodes() {
    VolumeUsage usage =
        reader(ProgramResult.exited(0, "4096 1000 400 300 50 20\n", "")).ofFileSystem(dir);
    assertThat(usage)
        .isEqualTo(
            new VolumeUsage(
                new Amount(4096_000, 1228_800, 2457_600), Optional.of(new Amount(50, 20, 30))));
    List<dev.csijava.spec.v1.VolumeUsage> messages = usage.toMessages();
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0).getUnit()).isEqualTo(Unit.BYTES);
    assertThat(messages.get(0).getTotal()).isEqualTo(4096_000);
    assertThat(messages.get(0).getAvailable()).isEqualTo(1228_800);
    assertThat(messages.get(0).getUsed()).isEqualTo(2457_600);
    assertThat(messages.get(1).getUnit()).isEqualTo(Unit.INODES);
    assertThat(messages.get(1).getUsed()).isEqualTo(30);
  }

  @Test
  void aFileSystemWithoutInodeLimitTellsBytesOnly() {
    assertThat(
            reader(ProgramResult.exited(0, "4096 1000 400 300 0 0\n", ""))
                .ofFileSystem(dir)
                .toMessages())
        .hasSize(1);
  }

  @Test
  void numbersBeyondALongAreCutAndNotWrapped() {
    VolumeUsage usage =
        reader(
                ProgramResult.exited(
                    0,
                    "1048576 18446744073709551615 9223372036854775807 9223372036854775807 1 1\n",
                    ""))
            .ofFileSystem(dir);
    assertThat(usage.bytes()).isEqualTo(new Amount(Long.MAX_VALUE, Long.MAX_VALUE, 0));
  }

  @Test
  void answersThatMakeNoSenseAndHangsAreInternal() {
    assertThat(code(() -> reader(ProgramResult.exited(0, "1 2 ?", "")).ofFileSystem(dir)))
        .isEqualTo(Code.INTERNAL);
    assertThat(code(() -> reader(ProgramResult.exited(0, "", "")).ofFileSystem(dir)))
        .isEqualTo(Code.INTERNAL);
    assertThat(code(() -> reader(new ProgramResult(-1, true, false, "", "")).ofFileSystem(dir)))
        .isEqualTo(Code.INTERNAL);
  }

  @Test
  void theRealFileSystemIsMeasured() throws IOException {
    VolumeUsage usage = UsageReader.system().ofFileSystem(dir);
    assertThat(usage.bytes().total()).isEqualTo(Files.getFileStore(dir).getTotalSpace());
    assertThat(usage.bytes().used()).isBetween(0L, usage.bytes().total());
    assertThat(usage.bytes().available()).isBetween(0L, usage.bytes().total());
  }

  @Test
  void withoutTheProgramThereAreBytesOnly() throws IOException {
    UsageReader reader =
        new ProgramUsageReader(
            (command, deadline) -> {
              throw new IOException("no stat here");
            },
            Duration.ofSeconds(1));
    VolumeUsage usage = reader.ofFileSystem(dir);
    assertThat(usage.bytes().total()).isEqualTo(Files.getFileStore(dir).getTotalSpace());
    assertThat(usage.inodes()).isEmpty();
    assertThat(code(() -> reader.ofFileSystem(dir.resolve("none")))).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void whatIsMissingIsNotFound() {
    assertThat(code(() -> UsageReader.system().ofFileSystem(dir.resolve("none"))))
        .isEqualTo(Code.NOT_FOUND);
    assertThat(code(() -> UsageReader.system().ofBlockDevice(dir.resolve("none"))))
        .isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void aFileIsNoBlockDevice() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    assertThat(code(() -> UsageReader.system().ofBlockDevice(file)))
        .isEqualTo(Code.FAILED_PRECONDITION);
  }

  @Test
  void aBlockVolumeHasATotalOnly() {
    assertThat(VolumeUsage.ofBlock(512).toMessages())
        .containsExactly(
            dev.csijava.spec.v1.VolumeUsage.newBuilder().setTotal(512).setUnit(Unit.BYTES).build());
  }
}
