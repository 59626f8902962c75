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
    Path half =
        Files.createDirectories(root.resolve(".unfinished-half").resolve("data/deep")).getParent();

    FolderStore.open(root);

    assertThat(half).doesNotExist();
    assertThat(root).isEmptyDirectory();
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

  @Test
  void whatIsNobodysStaysAndStopsNothing(@TempDir Path root) throws IOException {
    Folder made = FolderStore.open(root).create(REQUEST);
    Files.createDirectory(root.resolve("lost+found"));
    Path snapshots = Files.createDirectory(root.resolve(".snapshot"));
    Path file = Files.writeString(snapshots.resolve("precious"), "keep");

    FolderStore restarted = FolderStore.open(root);

    assertThat(restarted.find(made.id())).isPresent();
    assertThat(file).hasContent("keep");
  }

  @Test
  void aTornRecordIsKeptAndTheOthersAreServed(@TempDir Path root) throws IOException {
    FolderStore store = FolderStore.open(root);
    Folder whole = store.create(REQUEST);
    Folder torn = store.create(REQUEST.toBuilder().setName("two").build());
    Files.write(root.resolve(torn.id()).resolve("request"), new byte[] {10, 100});

    FolderStore restarted = FolderStore.open(root);

    assertThat(restarted.find(whole.id())).isPresent();
    assertThat(restarted.find(torn.id())).isEmpty();
    assertThat(torn.data()).exists();
  }

  @Test
  void aTreeDeeperThanAnyPathIsRemoved(@TempDir Path root) throws IOException {
    FolderStore store = FolderStore.open(root);
    Folder made = store.create(REQUEST);
    String name = "d".repeat(200);
    Files.createDirectories(made.data().resolve("0/" + name));
    for (int i = 1; i < 40; i++) { // each time what is there goes down by one more level
      Path next = Files.createDirectories(made.data().resolve(i + "/" + name));
      Files.move(made.data().resolve(Integer.toString(i - 1)), next.resolve("x"));
    }

    store.delete(made);

    assertThat(root).isEmptyDirectory();
  }
}
