package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.DeepTree;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Times of change are the kernel's, so this needs a real file system. */
class TreeChangesIT {
  private static final Instant LONG_AGO = Instant.EPOCH;

  @TempDir Path temporary;

  private final TreeCopier copier = new DescriptorTreeCopier();

  @BeforeEach
  void needs() {
    assumeTrue(OpenDirectory.unavailable().isEmpty(), "no access by descriptor");
  }

  private Path sample() throws IOException {
    Path root = Files.createDirectories(temporary.resolve("tree"));
    Files.createDirectories(root.resolve("a/b/c"));
    Files.createDirectory(root.resolve("empty"));
    Files.writeString(root.resolve("a/b/c/file"), "x");
    Files.writeString(root.resolve("a/other"), "x");
    Files.createSymbolicLink(root.resolve("a/link"), Path.of("nowhere"));
    return root;
  }

  /** The time after all that was done so far, by the clock of the file system. */
  private Instant now() throws IOException {
    Path probe = temporary.resolve("probe");
    Instant first = touch(probe);
    Instant next = touch(probe);
    while (!next.isAfter(first)) {
      next = touch(probe);
    }
    return next;
  }

  private static Instant touch(Path probe) throws IOException {
    Files.writeString(probe, "x");
    return ((FileTime) Files.getAttribute(probe, "unix:ctime")).toInstant();
  }

  @FunctionalInterface
  interface Change {
    void make(Path root) throws IOException;
  }

  /** By name, since a lambda has none. */
  record Named(String name, Change change) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Named> changes() {
    return Stream.of(
        new Named("content", root -> Files.writeString(root.resolve("a/b/c/file"), "y")),
        new Named(
            "content whose time was set back",
            root -> {
              Files.writeString(root.resolve("a/b/c/file"), "y");
              Files.setLastModifiedTime(root.resolve("a/b/c/file"), FileTime.from(LONG_AGO));
            }),
        new Named(
            "mode",
            root ->
                Files.setPosixFilePermissions(
                    root.resolve("a/other"), PosixFilePermissions.fromString("rwx------"))),
        new Named(
            "attribute",
            root ->
                Files.setAttribute(
                    root.resolve("empty"), "user:a", "b".getBytes(StandardCharsets.UTF_8))),
        new Named(
            "owner of a link",
            root ->
                Files.setAttribute(
                    root.resolve("a/link"), "unix:uid", 7, LinkOption.NOFOLLOW_LINKS)),
        new Named("a new file", root -> Files.createFile(root.resolve("empty/file"))),
        new Named("a file less", root -> Files.delete(root.resolve("a/b/c/file"))),
        new Named("a directory less", root -> Files.delete(root.resolve("empty"))),
        new Named("a new name", root -> Files.move(root.resolve("a/b"), root.resolve("a/another"))),
        new Named(
            "a hard link",
            root -> Files.createLink(root.resolve("empty/link"), root.resolve("a/other"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aChangeIsSeen(Named change) throws IOException {
    Path root = sample();
    Instant moment = now();
    assertThat(copier.isUnchangedSince(root, moment)).isTrue();

    change.change().make(root);

    assertThat(copier.isUnchangedSince(root, moment)).isFalse();
    assertThat(copier.isUnchangedSince(root, now())).isTrue();
  }

  @Test
  void readingAndCopyingAreNoChanges() throws IOException {
    Path root = sample();
    Instant moment = now();
    assertThat(Files.readString(root.resolve("a/other"))).isEqualTo("x");
    copier.copy(root, temporary.resolve("copy"));
    assertThat(copier.isUnchangedSince(root, moment)).isTrue();
    assertThat(copier.isUnchangedSince(temporary.resolve("copy"), moment)).isFalse();
  }

  @Test
  void aTreeMayBeDeeperThanAPathIsLong() throws IOException {
    Path root = Files.createDirectory(temporary.resolve("deep"));
    try {
      DeepTree.make(root, 3_000);
      Instant moment = now();
      assertThat(copier.isUnchangedSince(root, moment)).isTrue();
      assertThat(copier.isUnchangedSince(root, moment.minus(Duration.ofHours(1)))).isFalse();
      changeFarDown(root);
      assertThat(copier.isUnchangedSince(root, moment)).isFalse();
    } finally {
      DeepTree.remove(root);
    }
  }

  private static void changeFarDown(Path root) throws IOException {
    OpenDirectory at = OpenDirectory.at(root);
    for (int i = 0; i < 2_000; i++) {
      at = below(at);
    }
    at.setMode(0700);
    at.close();
  }

  private static OpenDirectory below(OpenDirectory above) throws IOException {
    try (above) {
      return above.directory(FileName.of("d"));
    }
  }
}
