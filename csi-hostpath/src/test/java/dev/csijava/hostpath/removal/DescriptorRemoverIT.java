package dev.csijava.hostpath.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.testing.DeepTree;
import dev.csijava.hostpath.testing.TestMounts;
import dev.csijava.nativeio.DeviceNumber;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Removal of real trees (rules K1 and K2). Needs root. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorRemoverIT {
  @TempDir Path temporary;

  private TestMounts mounts;
  private Path trash;
  private Path kept;

  @BeforeEach
  void setUp() throws Exception {
    mounts = TestMounts.below(temporary);
    Path memory = mounts.tmpfs("memory", "512m");
    trash = Files.createDirectory(memory.resolve("trash"));
    kept = Files.createDirectory(memory.resolve("kept"));
    Files.writeString(kept.resolve("data"), "precious");
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.close();
    }
  }

  private void empty() {
    Remover remover = Remover.of(trash, () -> false);
    assertThat(remover).isInstanceOf(DescriptorRemover.class);
    remover.empty();
  }

  @Test
  void aDeepTreeGoes() throws Exception {
    removeDeepTree(20_000);
  }

  private void removeDeepTree(int levels) throws Exception {
    DeepTree.make(Files.createDirectory(trash.resolve("deep")), levels);
    empty();
    assertThat(trash).isEmptyDirectory();
  }

  @Test
  @Tag("exhaustive")
  void aTreeOfAHundredThousandLevelsGoes() throws Exception {
    removeDeepTree(100_000);
  }

  @Test
  void aTreeOfVeryManyFilesGoes() throws Exception {
    for (int i = 0; i < 40; i++) {
      Path directory = Files.createDirectories(trash.resolve("many/d" + i));
      try (OpenDirectory open = OpenDirectory.at(directory)) {
        for (int j = 0; j < 1_000; j++) {
          open.makeFile(FileName.of("f" + j), 0600).close();
        }
      }
    }
    empty();
    assertThat(trash).isEmptyDirectory();
  }

  @Test
  @DisplayName("B020 links are removed, and what they lead to is not touched")
  void linksAreNotFollowed() throws Exception {
    Path tree = Files.createDirectories(trash.resolve("tree/inner"));
    Files.createSymbolicLink(trash.resolve("top-link"), kept);
    Files.createSymbolicLink(tree.resolve("link"), kept);
    Files.createLink(tree.resolve("hard"), kept.resolve("data"));
    try (OpenDirectory open = OpenDirectory.at(tree)) {
      open.makeSpecial(FileName.of("fifo"), NodeType.FIFO, 0600, new DeviceNumber(0, 0));
      open.makeSpecial(
          FileName.of("disk"), NodeType.BLOCK_DEVICE, 0600, new DeviceNumber(259, 70_000));
    }
    empty();
    assertThat(trash).isEmptyDirectory();
    assertThat(kept.resolve("data")).hasContent("precious");
  }

  @Test
  void whatIsMountedInTheTrashStaysWithAllAboveItAndTheRestGoes() throws Exception {
    Path point = Files.createDirectories(trash.resolve("tree/a/point"));
    Path top = Files.createDirectory(trash.resolve("top"));
    Files.createFile(trash.resolve("tree/a/file"));
    Files.createFile(trash.resolve("other"));
    TestMounts.run("mount", "-n", "--bind", kept.toString(), point.toString());
    TestMounts.run("mount", "-n", "--bind", kept.toString(), top.toString());
    empty();
    assertThat(kept.resolve("data")).hasContent("precious");
    assertThat(top.resolve("data")).hasContent("precious");
    assertThat(trash.resolve("other")).doesNotExist();
    TestMounts.run("umount", "-n", top.toString());
    // Its directory was moved up meanwhile, the mount with it.
    mounts.unmountAllOf(trash);
    empty();
    assertThat(trash).isEmptyDirectory();
    assertThat(kept.resolve("data")).hasContent("precious");
  }

  @Test
  @DisplayName("B020 a directory swapped for a link while it is removed leads nowhere")
  void aDirectorySwappedForALinkLeadsNowhere() throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    Path tree = Files.createDirectory(trash.resolve("tree"));
    for (int i = 0; i < 2_000; i++) {
      Files.createDirectories(tree.resolve("d" + i + "/data"));
    }
    Thread workload =
        new Thread(
            () -> {
              for (int i = 0; !end.get(); i = (i + 1) % 2_000) {
                swap(tree.resolve("d" + i), kept);
              }
            });
    workload.start();
    try {
      empty();
    } finally {
      end.set(true);
      workload.join();
    }
    empty();
    assertThat(kept.resolve("data")).hasContent("precious");
    assertThat(trash).isEmptyDirectory();
  }

  private static void swap(Path directory, Path with) {
    if (Files.isSymbolicLink(directory)) {
      return;
    }
    try {
      Files.delete(directory.resolve("data"));
      Files.delete(directory);
      Files.createSymbolicLink(directory, with);
    } catch (IOException e) {
      // The remover was first.
    }
  }

  @Test
  void itStopsWhenItIsTold() throws Exception {
    Files.createDirectories(trash.resolve("a/b"));
    new DescriptorRemover(trash, () -> true).empty();
    assertThat(trash.resolve("a/b")).exists();
  }

  @Test
  void withoutSystemCallsTheJavaLibraryRemovesTheSame() throws Exception {
    Files.createDirectories(trash.resolve("a/b/c"));
    Files.createSymbolicLink(trash.resolve("a/b/link"), kept);
    new TreeRemover(trash, () -> false).empty();
    assertThat(trash).isEmptyDirectory();
    assertThat(kept.resolve("data")).hasContent("precious");
  }
}
