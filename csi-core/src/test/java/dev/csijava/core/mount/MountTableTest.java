package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountTableTest {
  private static final String ROOT = "1 0 8:1 / / rw,relatime - ext4 /dev/root rw\n";

  private static MountTable table(String... lines) {
    return MountTable.parse(
        (ROOT + String.join("\n", lines)).getBytes(StandardCharsets.UTF_8),
        FileSystems.getDefault());
  }

  private static List<Long> ids(List<Mount> mounts) {
    return mounts.stream().map(Mount::id).toList();
  }

  @Test
  void everyFieldOfALineIsRead() {
    MountTable table =
        table(
            "36 1 98:0 /data/a /mnt/a ro,noatime shared:3 master:1 propagate_from:2"
                + " - ext4 /dev/loop0 rw,errors=continue");
    assertThat(table.all().get(1))
        .isEqualTo(
            new Mount(
                36,
                1,
                "98:0",
                "/data/a",
                Path.of("/mnt/a"),
                Set.of("ro", "noatime"),
                "ext4",
                "/dev/loop0",
                Set.of("rw", "errors=continue")));
  }

  @Test
  @DisplayName("B117 read-only is seen in the mount and in its file system")
  void readOnlyIsSeenInEither() {
    MountTable table =
        table(
            "2 1 8:1 /a /a ro - ext4 d rw",
            "3 1 8:1 /b /b rw - ext4 d ro",
            "4 1 8:1 /c /c rw - ext4 d rw");
    assertThat(table.all().stream().map(Mount::readOnly)).containsExactly(false, true, true, false);
    assertThat(table.all().get(2).options()).doesNotContain("ro");
  }

  @Test
  void escapedCharactersAreDecodedBeforeComparison() {
    MountTable table = table("2 1 8:1 /s\\040p /m/a\\040b\\011c\\012d\\134e\\043f rw - ext4 d rw");
    assertThat(table.at(Path.of("/m/a b\tc\nd\\e#f"))).isPresent();
    assertThat(table.at(Path.of("/m/a b\tc\nd\\e#f")).orElseThrow().root()).isEqualTo("/s p");
  }

  @Test
  void aBackslashWithoutThreeDigitsStaysAsItIs() {
    MountTable table = table("2 1 8:1 / /m/a\\04 rw - ext4 d rw", "3 1 8:1 / /m/b\\9 rw - e d rw");
    assertThat(table.at(Path.of("/m/a\\04"))).isPresent();
    assertThat(table.at(Path.of("/m/b\\9"))).isPresent();
  }

  @Test
  void unicodeIsFoundByItsName() {
    MountTable table = table("2 1 8:1 / /m/größe-日本 rw - ext4 d rw");
    Path name = Path.of(URI.create("file:///m/gr%C3%B6%C3%9Fe-%E6%97%A5%E6%9C%AC"));
    assertThat(table.at(name)).isPresent();
  }

  @Test
  void bytesThatAreNoUtf8AreFoundByTheSameBytes() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes((ROOT + "2 1 8:1 / /m/a").getBytes(StandardCharsets.US_ASCII));
    text.write(0xff);
    text.writeBytes("z rw - ext4 d rw\n".getBytes(StandardCharsets.US_ASCII));
    MountTable table = MountTable.parse(text.toByteArray(), FileSystems.getDefault());
    assertThat(table.at(Path.of(URI.create("file:///m/a%FFz")))).isPresent();
    assertThat(table.at(Path.of(URI.create("file:///m/a%FEz")))).isEmpty();
  }

  @Test
  void ofStackedMountsTheLastIsOnTop() {
    MountTable table =
        table(
            "2 1 8:1 /a /t rw - ext4 d rw",
            "3 2 8:1 /b /t rw - ext4 d rw",
            "4 3 8:1 /c /t rw - ext4 d rw");
    assertThat(ids(table.stackAt(Path.of("/t")))).containsExactly(2L, 3L, 4L);
    assertThat(table.at(Path.of("/t")).orElseThrow().id()).isEqualTo(4);
  }

  @Test
  void theParentDecidesWhatIsOnTopAndNotTheOrderOfTheLines() {
    MountTable table =
        table(
            "3 2 8:1 /b /t rw - ext4 d rw",
            "2 1 8:1 /a /t rw - ext4 d rw",
            "9 1 8:1 / /u rw - e d rw");
    assertThat(ids(table.stackAt(Path.of("/t")))).containsExactly(2L, 3L);
  }

  @Test
  void aMountHiddenByOneFurtherUpIsNotAtItsPath() {
    MountTable table = table("2 1 8:1 /x /a/b rw - ext4 d rw", "3 1 8:2 / /a rw - ext4 d rw");
    assertThat(table.at(Path.of("/a/b"))).isEmpty();
    assertThat(ids(table.hiddenAt(Path.of("/a/b")))).containsExactly(2L);
    assertThat(table.containing(Path.of("/a/b")).orElseThrow().id()).isEqualTo(3);
    assertThat(ids(table.below(Path.of("/a")))).containsExactly(2L);
  }

  @Test
  void aMountUponTheOneThatHidesIsAtItsPath() {
    MountTable table =
        table(
            "2 1 8:1 /x /a/b rw - ext4 d rw",
            "3 1 8:2 / /a rw - ext4 d rw",
            "4 3 8:3 / /a/b rw - ext4 d rw");
    assertThat(ids(table.stackAt(Path.of("/a/b")))).containsExactly(4L);
  }

  @Test
  void inAChrootWithoutAMountOfTheRootThePathsAreFound() {
    MountTable table =
        MountTable.parse(
            "5 27 8:1 / /proc rw - proc p rw\n6 5 0:5 / /proc/x rw - tmpfs t rw\n"
                .getBytes(StandardCharsets.UTF_8),
            FileSystems.getDefault());
    assertThat(table.at(Path.of("/proc/x")).orElseThrow().id()).isEqualTo(6);
    assertThat(table.containing(Path.of("/etc"))).isEmpty();
  }

  @Test
  void siblingsWithTheSameBeginningAreNotBelow() {
    MountTable table =
        table(
            "2 1 8:1 / /a/b rw - e d rw",
            "3 1 8:1 / /a/bc rw - e d rw",
            "4 2 8:1 / /a/b/c rw - e d rw");
    assertThat(ids(table.below(Path.of("/a/b")))).containsExactly(4L);
    assertThat(ids(table.below(Path.of("/a")))).containsExactly(2L, 3L, 4L);
    assertThat(table.at(Path.of("/a"))).isEmpty();
  }

  @Test
  @DisplayName("B044 other mounts of the same volume are found by what they show")
  void otherMountsOfTheSameAreFound() {
    MountTable table =
        table(
            "2 1 7:0 / /staging rw - ext4 d rw",
            "3 1 7:0 / /tmp/x rw - ext4 d rw",
            "4 1 7:0 /sub /tmp/y rw - ext4 d rw",
            "5 1 7:1 / /tmp/z rw - ext4 d rw",
            "6 1 8:1 /v/one /p rw - ext4 d rw",
            "7 1 8:1 /v/one-more /q rw - ext4 d rw");
    assertThat(ids(table.sharing(table.at(Path.of("/staging")).orElseThrow())))
        .containsExactly(3L, 4L);
    assertThat(table.sharing(table.at(Path.of("/p")).orElseThrow())).isEmpty();
  }

  @Test
  void linesThatAreNotUnderstoodAreLeftOut() {
    MountTable table =
        table(
            "",
            "rubbish",
            "2 1 8:1 / /no-dash rw shared:1",
            "x 1 8:1 / /no-number rw - ext4 d rw",
            "99999999999999999999 1 8:1 / /huge rw - ext4 d rw",
            "3 1 8:1 / /short rw - ext4",
            "4 1 8:1 / /nul\\000l rw - ext4 d rw",
            "5 1 8:1 / /good rw -",
            "6 1 8:1 / /good rw - ext4 d rw");
    assertThat(ids(table.all())).containsExactly(1L, 6L);
  }

  @Test
  void anEmptySourceAndMissingSuperOptionsAreTaken() {
    MountTable table = table("2 1 0:5 / /t rw - tmpfs  rw", "3 1 0:6 / /u rw - tmpfs none ");
    assertThat(table.at(Path.of("/t")).orElseThrow().source()).isEmpty();
    assertThat(table.at(Path.of("/u")).orElseThrow().superOptions()).isEmpty();
  }

  @Test
  void aQuotedCommaDoesNotSplitAnOption() {
    MountTable table = table("2 1 0:5 / /t rw - ext4 d rw,context=\"u:r:t:s0:c1,c2\",acl");
    assertThat(table.at(Path.of("/t")).orElseThrow().superOptions())
        .containsExactlyInAnyOrder("rw", "context=\"u:r:t:s0:c1,c2\"", "acl");
  }

  @Test
  void peerGroupsAreSeenAndMastersAreNone() {
    MountTable table =
        table("2 1 0:5 / /t rw shared:4 - e d rw", "3 1 0:5 / /u rw master:4 - e d rw");
    assertThat(table.isShared(table.at(Path.of("/t")).orElseThrow())).isTrue();
    assertThat(table.isShared(table.at(Path.of("/u")).orElseThrow())).isFalse();
  }

  @Test
  void aFileOfAnotherFileSystemIsReadAndItsPathsAreOfThatFileSystem() throws IOException {
    try (FileSystem jimfs = Jimfs.newFileSystem(Configuration.unix())) {
      StringBuilder text = new StringBuilder(ROOT);
      for (int i = 2; i < 1000; i++) {
        text.append(i).append(" 1 8:1 / /m/ü").append(i).append(" rw - ext4 d rw\n");
      }
      Path file = Files.writeString(jimfs.getPath("/mountinfo"), text);
      MountTable table = MountTable.read(file);
      assertThat(table.all()).hasSize(999);
      assertThat(table.at(jimfs.getPath("/m/ü777")).orElseThrow().id()).isEqualTo(777);
    }
  }

  @Test
  void theTableOfThisProcessHasARoot() throws IOException {
    assertThat(MountTable.read().containing(Path.of("/proc/self")).orElseThrow().fileSystemType())
        .isEqualTo("proc");
  }

  /** Longer than the kernel hands out in one piece. */
  private static void writeLongTable(Path file, int mounts) throws IOException {
    StringBuilder text = new StringBuilder(ROOT);
    for (int i = 2; i < mounts + 2; i++) {
      text.append(i).append(" 1 8:1 / /a/rather/long/mount/point/").append(i);
      text.append(" rw,relatime - ext4 /dev/root rw\n");
    }
    Files.writeString(file, text);
  }

  @Test
  void aTableIsReadAgainWhereMountsCameMeanwhile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mountinfo");
    writeLongTable(file, 100);
    List<long[]> answers = new ArrayList<>();
    MountTable table =
        MountTable.read(
            file,
            () -> {
              if (answers.size() == 1) {
                writeLongTable(file, 101);
              }
              answers.add(answers.isEmpty() ? new long[] {1} : new long[] {1, 2});
              return answers.get(answers.size() - 1);
            });
    assertThat(table.all()).hasSize(102);
    assertThat(answers).hasSize(3);
  }

  @Test
  void aTableIsReadOnceWhereTheNumbersOfItsMountsStayed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mountinfo");
    writeLongTable(file, 100);
    List<long[]> answers = new ArrayList<>();
    MountTable table =
        MountTable.read(
            file,
            () -> {
              if (answers.size() == 1) {
                writeLongTable(file, 101);
              }
              answers.add(new long[] {1, 2});
              return answers.get(0);
            });
    assertThat(table.all()).hasSize(101);
    assertThat(answers).hasSize(2);
  }

  @Test
  void aTableThatNeverStaysIsReadAFewTimesOnly(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mountinfo");
    writeLongTable(file, 100);
    AtomicLong next = new AtomicLong();
    MountTable table = MountTable.read(file, () -> new long[] {next.incrementAndGet()});
    assertThat(table.all()).hasSize(101);
    assertThat(next.get()).isEqualTo(5);
  }
}
