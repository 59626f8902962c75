package dev.csijava.hostpath.store;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.TestState;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectStoreTest {
  private final TestState test = new TestState();

  @AfterEach
  void close() {
    test.close();
  }

  private ObjectStore volumes() {
    return test.state().volumes();
  }

  private static Record draft(String name) {
    return Record.newBuilder()
        .setName(name)
        .setSizeBytes(1024)
        .setBacking(Backing.DIRECTORY)
        .setVolume(VolumeDetails.newBuilder().putContext("größe", "a\nb"))
        .build();
  }

  private static void makeFile(Path data) throws IOException {
    Files.createDirectory(data);
    Files.writeString(data.resolve("file"), "content");
  }

  @Test
  void whatWasCreatedIsFoundByIdAndByName() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);

    assertThat(made.getId()).matches("vol-[0-9a-f]{32}");
    assertThat(made.getCreated().getSeconds()).isEqualTo(TestState.NOW.getEpochSecond());
    assertThat(volumes().byId(made.getId())).contains(made);
    assertThat(volumes().byName("one")).contains(made);
    assertThat(volumes().data(made).resolve("file")).hasContent("content");
  }

  @Test
  void whatWasCreatedIsTheSameAfterARestart() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);

    test.restart();

    assertThat(volumes().byId(made.getId())).contains(made);
    assertThat(volumes().byName("one")).contains(made);
    assertThat(test.state().quarantined()).isEmpty();
  }

  @Test
  void theRecordIsTextThatPeopleCanRead() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);

    assertThat(volumes().folder(made).resolve("record"))
        .content()
        .contains("name: \"one\"", "size_bytes: 1024", "größe");
  }

  @Test
  void aRecordIsOnDiskBeforeItIsRenamedAndTheRenameBeforeTheAnswer() {
    test.disk().failAt(Integer.MAX_VALUE, "");

    volumes().create(draft("one"), ObjectStoreTest::makeFile);

    assertThat(test.disk().operations()).containsExactly("write", "sync", "rename", "sync");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aDiskThatFailsAtAnyStepOfACreateLeavesNothing(int step) {
    test.disk().failAt(step, "No space left on device");

    assertThatThrownBy(() -> volumes().create(draft("one"), ObjectStoreTest::makeFile))
        .hasMessageContaining(step == 3 ? "not known" : "no space");

    test.disk().heal();
    assertThat(volumes().byName("one")).isEmpty();
    assertThat(test.names("volumes")).isEmpty();
    assertThat(test.names("pending")).isEmpty();
    test.restart();
    assertThat(volumes().size()).isZero();
    volumes().create(draft("one"), ObjectStoreTest::makeFile);
  }

  @Test
  void aFullDiskIsResourceExhaustedAndAnyOtherFailureInternal() {
    test.disk().failAt(0, "No space left on device");
    assertFails(
        Status.Code.RESOURCE_EXHAUSTED,
        () -> volumes().create(draft("one"), ObjectStoreTest::makeFile));

    test.disk().failAt(0, "Input/output error");
    assertFails(
        Status.Code.INTERNAL, () -> volumes().create(draft("one"), ObjectStoreTest::makeFile));
  }

  @Test
  void dataThatCouldNotBeMadeLeavesNothing() {
    assertFails(
        Status.Code.INTERNAL,
        () ->
            volumes()
                .create(
                    draft("one"),
                    data -> {
                      makeFile(data);
                      throw new IOException("half way");
                    }));

    assertThat(test.names("volumes")).isEmpty();
    assertThat(test.names("pending")).isEmpty();
  }

  @Test
  void aNameIsGivenOnce() {
    volumes().create(draft("one"), ObjectStoreTest::makeFile);

    assertFails(
        Status.Code.ALREADY_EXISTS,
        () -> volumes().create(draft("one"), ObjectStoreTest::makeFile));
  }

  @Test
  void aNameThatIsJustBeingMadeIsAborted() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Record> first = new AtomicReference<>();
    Thread maker =
        Thread.ofPlatform()
            .start(
                () ->
                    first.set(
                        volumes()
                            .create(
                                draft("one"),
                                data -> {
                                  inside.countDown();
                                  awaitQuietly(goOn);
                                  makeFile(data);
                                })));
    assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();

    assertFails(
        Status.Code.ABORTED, () -> volumes().create(draft("one"), ObjectStoreTest::makeFile));

    goOn.countDown();
    maker.join();
    assertThat(volumes().byName("one")).contains(first.get());
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aDeletedNameGetsANewId() {
    Record first = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    volumes().delete(first);
    assertThat(volumes().byId(first.getId())).isEmpty();

    Record second = volumes().create(draft("one"), ObjectStoreTest::makeFile);

    assertThat(second.getId()).isNotEqualTo(first.getId());
    test.restart();
    assertThat(volumes().byName("one")).contains(second);
    assertThat(volumes().size()).isOne();
  }

  @Test
  void deletingTwiceIsNoError() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    volumes().delete(made);

    volumes().delete(made);

    assertThat(volumes().size()).isZero();
  }

  @Test
  void aDeleteIsOneRenameAndThenASync() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    test.disk().failAt(Integer.MAX_VALUE, "");

    volumes().delete(made);

    assertThat(test.disk().operations()).containsExactly("rename", "sync");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aDiskThatFailsAtAnyStepOfADeleteLeavesTheObjectAsItWas(int step) {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    test.disk().failAt(step, "Input/output error");

    assertFails(Status.Code.INTERNAL, () -> volumes().delete(made));

    test.disk().heal();
    assertThat(volumes().byId(made.getId())).contains(made);
    assertThat(volumes().data(made).resolve("file")).hasContent("content");
    test.restart();
    assertThat(volumes().byId(made.getId())).contains(made);
  }

  @Test
  void whatAMountLiesInIsNotDeleted() {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    test.kernel().mountForeign(volumes().data(made).resolve("inner"));

    assertFails(Status.Code.FAILED_PRECONDITION, () -> volumes().delete(made));

    assertThat(volumes().data(made).resolve("file")).hasContent("content");
    assertThat(volumes().byId(made.getId())).contains(made);
  }

  @Test
  void aFolderThatSomebodyRemovedCanBeDeleted() throws IOException {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    Files.move(volumes().folder(made), test.root().resolve("elsewhere"));

    test.disk().failAt(Integer.MAX_VALUE, "");

    volumes().delete(made);

    assertThat(volumes().byId(made.getId())).isEmpty();
    assertThat(test.disk().operations()).as("that it is gone").containsExactly("rename", "sync");
  }

  /** As an operator does who looks for room. */
  @Test
  void aTrashFolderThatSomebodyRemovedIsNotTakenForADeletion() throws IOException {
    Record made = volumes().create(draft("one"), ObjectStoreTest::makeFile);
    Files.delete(test.root().resolve("trash"));

    volumes().delete(made);

    assertThat(test.names("volumes")).isEmpty();
    assertThat(volumes().byId(made.getId())).isEmpty();
  }

  @Test
  void withoutAPlaceForWhatIsBeingMadeTheMessageSaysWhatIsMissing() throws IOException {
    Files.delete(test.root().resolve("pending"));

    assertThatThrownBy(() -> volumes().create(draft("one"), ObjectStoreTest::makeFile))
        .hasMessageContaining("no such file or directory")
        .hasMessageContaining("/state/pending/");
  }

  @Test
  void aFileThatTheFileSystemCantHoldIsOutOfRange() {
    assertFails(
        Status.Code.OUT_OF_RANGE,
        () ->
            volumes()
                .create(
                    draft("one"),
                    data -> {
                      throw new IOException("could not set the size: File too large");
                    }));

    assertThat(test.names("pending")).isEmpty();
  }

  /** Else it would be quarantined by the next start, and its volume lost to its users. */
  @Test
  void aRecordThatIsTooLargeToBeReadBackIsNotCommitted() {
    String much = "x".repeat(RecordFile.LARGEST / 2);
    Record.Builder large = draft("large").toBuilder();
    large.getVolumeBuilder().putContext("much", much);

    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> volumes().create(large.build(), ObjectStoreTest::makeFile));
    Record small = volumes().create(draft("small"), ObjectStoreTest::makeFile);
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> volumes().update(small.getId(), volume -> withContext(volume, much)));

    assertThat(test.names("volumes")).hasSize(1);
    assertThat(test.names("pending")).isEmpty();
    test.restart();
    assertThat(test.state().quarantined()).isEmpty();
    assertThat(volumes().byId(small.getId())).contains(small);
  }

  private static Record withContext(Record volume, String value) {
    Record.Builder changed = volume.toBuilder();
    changed.getVolumeBuilder().putContext("much", value);
    return changed.build();
  }
}
