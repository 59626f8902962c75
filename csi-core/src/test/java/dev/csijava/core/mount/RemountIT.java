package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tmpfs that grows under its users. */
class RemountIT {
  private final Mounter mounter = Mounter.system();
  private Path root = Path.of("/nonexistent");
  private Path staged = root;
  private Path reader = root;

  @BeforeEach
  void mount(@TempDir Path directory) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    root = directory.toRealPath();
    staged = Files.createDirectory(root.resolve("staged"));
    reader = Files.createDirectory(root.resolve("reader"));
    mounter.mount("memory", staged, "tmpfs", List.of("size=1m", "mode=0750", "noexec"));
    mounter.bind(staged, reader, MountOptions.of(MountOptions.Flag.RO));
  }

  @AfterEach
  void unmount() throws IOException {
    for (Mount left : MountTable.read().below(root)) {
      mounter.unmount(left.target());
    }
  }

  @Test
  void aTmpfsGrowsAndItsMountsStayAsTheyAre() throws IOException {
    Files.writeString(staged.resolve("file"), "kept");

    mounter.remount(staged, List.of("size=2m"));

    assertThat(Files.getFileStore(reader).getTotalSpace()).isEqualTo(2 << 20);
    assertThat(reader.resolve("file")).hasContent("kept");
    MountTable table = MountTable.read();
    assertThat(table.at(staged).orElseThrow().options()).contains("rw", "noexec");
    assertThat(table.at(reader).orElseThrow().options()).contains("ro", "noexec");
    assertThat(table.at(staged).orElseThrow().superOptions()).contains("rw", "mode=750");
  }

  @Test
  void byAReadOnlyPathNothingIsChanged() throws IOException {
    CsiException error =
        catchThrowableOfType(CsiException.class, () -> mounter.remount(reader, List.of("size=2m")));

    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(Files.getFileStore(staged).getTotalSpace()).isEqualTo(1 << 20);
  }

  @Test
  void whatTheFileSystemRefusesIsAnErrorAndChangesNothing() throws IOException {
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> mounter.remount(staged, List.of("size=many")));

    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(Files.getFileStore(staged).getTotalSpace()).isEqualTo(1 << 20);
  }
}
