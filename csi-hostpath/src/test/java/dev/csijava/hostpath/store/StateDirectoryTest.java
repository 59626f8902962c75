package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.TestState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDirectoryTest {
  private final TestState test = new TestState();

  @AfterEach
  void close() {
    test.close();
  }

  private Record make(String name) {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(1)
            .setBacking(Backing.DIRECTORY)
            .setVolume(VolumeDetails.getDefaultInstance())
            .build();
    return test.state().volumes().create(draft, Files::createDirectory);
  }

  private Path recordOf(Record volume) {
    return test.state().volumes().folder(volume).resolve("record");
  }

  private void assertOnlyThisIsQuarantined(Record bad, Record good, String reason) {
    Path folder = test.state().volumes().folder(bad);
    test.restart();
    assertThat(test.state().volumes().byId(bad.getId())).isEmpty();
    assertThat(test.state().volumes().byName(bad.getName())).isEmpty();
    assertThat(test.state().volumes().byId(good.getId())).contains(good);
    assertThat(test.state().quarantined())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.folder()).isEqualTo(folder);
              assertThat(found.reason()).contains(reason);
            });
    assertThat(folder.resolve("data")).isDirectory();
  }

  @Test
  void aRecordOfGarbageIsQuarantinedAndTheRestIsServed() throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    Files.write(recordOf(bad), new byte[] {(byte) 0xff, 0, 17});

    assertOnlyThisIsQuarantined(bad, good, "not text");
  }

  @Test
  void aMissingRecordIsQuarantined() throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    Files.delete(recordOf(bad));

    assertOnlyThisIsQuarantined(bad, good, "no record");
  }

  @Test
  void aRecordOfANewerDriverIsQuarantined() throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    replace(bad, "schema_version: 1", "schema_version: 2");

    assertOnlyThisIsQuarantined(bad, good, "newer driver");
  }

  @Test
  void aFieldThatThisDriverDoesNotKnowIsQuarantined() throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    replace(bad, "schema_version: 1", "schema_version: 1\nencrypted: true");

    assertOnlyThisIsQuarantined(bad, good, "can't be read");
  }

  @Test
  void anImageWithoutAFileSystemInItsRecordIsQuarantined() throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    replace(bad, "backing: DIRECTORY", "backing: IMAGE");

    assertOnlyThisIsQuarantined(bad, good, "file_system");
  }

  @Test
  void aChangedRecordIsThereAfterARestart() {
    Record record = make("one");
    test.state()
        .volumes()
        .update(record.getId(), before -> before.toBuilder().setSizeBytes(4711).build());

    assertThat(test.restart().volumes().byId(record.getId()).orElseThrow().getSizeBytes())
        .isEqualTo(4711);
  }

  @Test
  void aFolderThatWasCopiedByHandIsQuarantined() throws IOException {
    Record good = make("good");
    Record other = make("other");
    replace(other, other.getFolder(), "vol-copy");

    assertOnlyThisIsQuarantined(other, good, "vol-copy");
  }

  @Test
  void ofTwoRecordsWithOneNameOneIsServedAndNoneRemoved() throws IOException {
    make("first");
    Record second = make("second");
    replace(second, "name: \"second\"", "name: \"first\"");

    test.restart();

    assertThat(test.state().volumes().size()).isOne();
    assertThat(test.state().quarantined()).singleElement().asString().contains("id or name");
    assertThat(test.names("volumes")).hasSize(2);
  }

  /** Each length but the whole: no cut may be taken for a record. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99})
  void aTruncatedRecordIsQuarantined(int percent) throws IOException {
    Record good = make("good");
    Record bad = make("bad");
    byte[] whole = Files.readAllBytes(recordOf(bad));
    Files.write(recordOf(bad), java.util.Arrays.copyOf(whole, whole.length * percent / 100));

    assertOnlyThisIsQuarantined(bad, good, "");
  }

  private void replace(Record record, String old, String fresh) throws IOException {
    String text = Files.readString(recordOf(record));
    assertThat(text).contains(old);
    Files.writeString(recordOf(record), text.replaceFirst("(?<!id: \")" + old, fresh));
  }

  @Test
  void aStartSweepsWhatWasBeingMade() throws IOException {
    Path half = Files.createDirectory(test.root().resolve("pending/vol-half"));
    Files.createDirectory(half.resolve("data"));

    test.restart();

    assertThat(test.names("pending")).isEmpty();
    assertThat(test.state().volumes().size()).isZero();
    awaitEmptyTrash();
  }

  @Test
  void aStartRemovesWhatWasDeleted() throws IOException {
    Record kept = make("kept");
    test.close();
    Path deleted = Files.createDirectories(test.root().resolve("trash/vol-gone/data/deep/deeper"));
    Files.writeString(deleted.resolve("file"), "x");
    Files.createSymbolicLink(deleted.resolve("link"), test.root().resolve("volumes"));

    test.restart();

    awaitEmptyTrash();
    assertThat(test.state().volumes().data(kept)).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pending", "trash"})
  @DisplayName("K1: what lies in a directory that never was ours is not swept")
  void aDirectoryThatIsNoneOfOursIsNotSwept(String name, @TempDir Path directory)
      throws IOException {
    Path precious = Files.createDirectories(directory.resolve(name).resolve("precious"));
    Files.createFile(directory.resolve("lock"));

    assertThatThrownBy(() -> openOnDisk(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has a " + name + " of its own");
    assertThat(precious).exists();
    assertThat(directory.resolve("volumes")).doesNotExist();

    Files.delete(precious);
    openOnDisk(directory).close();
    Files.createDirectory(precious);
    try (StateDirectory ours = openOnDisk(directory)) {
      assertThat(ours.volumes().size()).isZero();
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (Files.exists(precious) && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertThat(precious).doesNotExist();
    }
  }

  private static StateDirectory openOnDisk(Path directory) throws IOException {
    return StateDirectory.open(
        directory, new LocalDisk(), new FakeKernel(), Steps.NONE, TestState.clock());
  }

  private void awaitEmptyTrash() {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!test.names("trash").isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(test.names("trash")).isEmpty();
  }

  @Test
  void aSecondDriverOnOneDirectoryIsRefused(@TempDir Path directory) throws IOException {
    Path root = directory.resolve("state");
    try (StateDirectory first =
        StateDirectory.open(
            root, new LocalDisk(), new FakeKernel(), Steps.NONE, TestState.clock())) {
      assertThat(first.volumes().size()).isZero();
      assertThatThrownBy(
              () ->
                  StateDirectory.open(
                      root, new LocalDisk(), new FakeKernel(), Steps.NONE, TestState.clock()))
          .isInstanceOf(StateInUseException.class)
          .hasMessageContaining("in use by another process");
      assertThat(Files.readString(Path.of("/proc/locks")))
          .as("still locked against other processes, too")
          .contains(":" + Files.getAttribute(root.resolve("lock"), "unix:ino") + " ");
    }
    StateDirectory.open(root, new LocalDisk(), new FakeKernel(), Steps.NONE, TestState.clock())
        .close();
  }
}
