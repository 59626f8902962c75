package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.hostpath.testing.TestMounts;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of images (rule K12). Needs root. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorFileCopierIT {
  @TempDir Path temporary;

  private final FileCopier copier = new DescriptorFileCopier();
  private TestMounts mounts;
  private Path root;

  @BeforeEach
  void setUp() throws Exception {
    mounts = TestMounts.below(temporary);
    root = mounts.directory();
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.close();
    }
  }

  private static OpenFile open(Path file) throws IOException {
    try (OpenDirectory directory = OpenDirectory.parentOf(file)) {
      return directory.file(FileName.last(file), OpenFile.Access.READ);
    }
  }

  @Test
  @DisplayName("B125 an image keeps its holes, its content and its mode")
  void anImageKeepsItsHoles() throws Exception {
    Path from = root.resolve("from");
    SampleTree.sparse(from, 3L << 30);
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rw-r-----"));
    Path to = root.resolve("to");
    copier.copy(from, to);
    try (OpenFile source = open(from);
        OpenFile copy = open(to)) {
      assertThat(copy.status().size()).isEqualTo(3L << 30);
      assertThat(copy.status().mode()).isEqualTo(0640);
      assertThat(copy.status().allocated()).isEqualTo(source.status().allocated());
      byte[] data = new byte[1 << 20];
      assertThat(copy.read(3L << 29, data)).isEqualTo(data.length);
      assertThat(data).containsOnly(5);
      assertThat(copy.nextData(0)).isEqualTo(source.nextData(0));
    }
  }

  @Test
  @DisplayName("B125 an image on xfs shares its blocks with its copy")
  void anImageSharesItsBlocks() throws Exception {
    Path xfs = mounts.xfs("xfs");
    SampleTree.sparse(xfs.resolve("from"), 64L << 20);
    copier.copy(xfs.resolve("from"), xfs.resolve("to"));
    try (OpenFile copy = open(xfs.resolve("to"))) {
      assertThat(copy.extents(0).next().orElseThrow().shared()).isTrue();
    }
    assertThat(Files.mismatch(xfs.resolve("from"), xfs.resolve("to"))).isEqualTo(-1);
    copier.flush(xfs);
  }

  @Test
  void aFileGetsExactlyTheSizeThatItIsGiven() throws Exception {
    Path file = Files.write(root.resolve("file"), new byte[] {1, 2, 3, 4});
    for (long size : new long[] {1 << 20, (1 << 20) + 1, 3, 3, 5}) {
      copier.setSize(file, size);
      assertThat(Files.size(file)).isEqualTo(size);
    }
    assertThat(Files.readAllBytes(file))
        .as("cut off, and then zeros")
        .containsExactly(1, 2, 3, 0, 0);
    copier.setSize(file, 1L << 30);
    try (OpenFile grown = open(file)) {
      assertThat(grown.status().allocated()).as("a hole").isLessThan(1 << 20);
    }
  }

  @Test
  void aCopyThatFailsIsRemovedAndNothingIsOverwritten() throws Exception {
    Path from = root.resolve("from");
    Files.write(from, new byte[2 << 20]);
    Path small = mounts.tmpfs("small", "1m");
    assertThat(
            catchThrowableOfType(IOException.class, () -> copier.copy(from, small.resolve("to"))))
        .hasMessageContaining("ENOSPC");
    assertThat(small).isEmptyDirectory();
    Path there = Files.writeString(root.resolve("there"), "kept");
    assertThat(catchThrowableOfType(IOException.class, () -> copier.copy(from, there)))
        .hasMessageContaining("EEXIST");
    assertThat(there).hasContent("kept");
    assertThat(catchThrowableOfType(IOException.class, () -> copier.flush(root.resolve("none"))))
        .hasMessageContaining("ENOENT");
  }

  @Test
  void aLinkOrADirectoryIsNotCopied() throws Exception {
    Files.createFile(root.resolve("file"));
    Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("file"));
    for (Path bad : new Path[] {link, Files.createDirectory(root.resolve("d"))}) {
      assertThat(
              catchThrowableOfType(IOException.class, () -> copier.copy(bad, root.resolve("to"))))
          .hasMessageContaining("EINVAL");
      assertThat(root.resolve("to")).doesNotExist();
    }
  }
}
