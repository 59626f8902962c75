package dev.csijava.examples.folders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes outlive the process, half made ones do not. */
class FolderStoreTest {
  private static final CreateVolumeRequest REQUEST =
      CreateVolumeRequest.newBuilder().setName("one").build();

  @Test
  void aVolumeIsFoundAgainAfterARestart(@TempDir Path root) throws IOException {
    Folder made = FolderStore.open(root).create(REQUEST);
    Files.writeString(made.data().resolve("memo"), "remember");

    FolderStore restarted = FolderStore.open(root);

    assertThat(restarted.find(made.id())).contains(made);
    assertThat(restarted.findByName("one").orElseThrow().object()).isEqualTo(made);
    assertThat(made.data().resolve("memo")).hasContent("remember");
  }

  @Test
  void whatACrashLeftHalfMadeIsGone(@TempDir Path root) throws IOException {
    Path half = Files.createDirectories(root.resolve(".half").resolve("data")).getParent();

    FolderStore.open(root);

    assertThat(half).doesNotExist();
  }

  @Test
  void deletingFollowsNoLink(@TempDir Path root, @TempDir Path elsewhere) throws IOException {
    Path file = Files.writeString(elsewhere.resolve("precious"), "keep");
    FolderStore store = FolderStore.open(root);
    Folder made = store.create(REQUEST);
    Files.createSymbolicLink(made.data().resolve("link"), elsewhere);

    store.delete(made);

    assertThat(root).isEmptyDirectory();
    assertThat(file).exists();
    assertThat(store.find(made.id())).isEmpty();
  }
}
