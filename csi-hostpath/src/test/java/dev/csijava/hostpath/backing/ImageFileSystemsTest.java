package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.ProbeResult;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.testing.FakeFilesystems;
import dev.csijava.hostpath.testing.FakeKernel;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of an xfs whose log was not clean when it was copied. */
class ImageFileSystemsTest {
  private static final Record COPY =
      Record.newBuilder()
          .setId("vol-1")
          .setBacking(Backing.IMAGE)
          .setFileSystem(
              ImageFileSystem.newBuilder().setType("xfs").setFormatted(true).setForeignUuid(true))
          .build();

  private final FakeKernel kernel = new FakeKernel();
  private final FakeFilesystems filesystems = new FakeFilesystems();

  @TempDir private Path directory;
  private Path device;
  private Path staging;

  @BeforeEach
  void makePaths() throws Exception {
    device = Files.createFile(directory.resolve("device"));
    staging = Files.createDirectory(directory.resolve("staging"));
    filesystems.find(new ProbeResult.Found("xfs", "of another"));
  }

  @Test
  void aDirtyLogIsReplayedByAMount() {
    filesystems.dirtyLog(1);
    assertThat(prepared(Duration.ofMinutes(1)).getFileSystem().getForeignUuid()).isFalse();
    assertThat(filesystems.asked()).containsExactly("check", "renew uuid", "renew uuid");
    assertThat(kernel.targets()).isEmpty();
  }

  @Test
  void theUuidWaitsForTheMountNamespacesThatHaveTheMountToo() {
    filesystems.dirtyLog(3);
    assertThat(prepared(Duration.ofMinutes(1)).getFileSystem().getForeignUuid()).isFalse();
    assertThat(filesystems.asked()).hasSize(5);
  }

  @Test
  void aNamespaceThatStaysMakesCallersComeAgain() {
    filesystems.dirtyLog(Integer.MAX_VALUE);
    assertFails(Status.Code.UNAVAILABLE, () -> prepared(Duration.ZERO));
    assertThat(kernel.targets()).isEmpty();
  }

  private Record prepared(Duration patience) {
    return new ImageFileSystems(filesystems, (id, change) -> change.apply(COPY), patience)
        .prepare(new BackedVolume(COPY, device), device, staging, kernel)
        .record();
  }
}
