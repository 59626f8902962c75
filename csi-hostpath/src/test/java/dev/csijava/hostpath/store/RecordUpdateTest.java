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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordUpdateTest {
  private final TestState test = new TestState();
  private final Record made =
      volumes()
          .create(
              Record.newBuilder()
                  .setName("one")
                  .setSizeBytes(1024)
                  .setBacking(Backing.DIRECTORY)
                  .setVolume(VolumeDetails.getDefaultInstance())
                  .build(),
              Files::createDirectory);

  private ObjectStore volumes() {
    return test.state().volumes();
  }

  private Record grow(long bytes) {
    return volumes().update(made.getId(), r -> r.toBuilder().setSizeBytes(bytes).build());
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void aChangeIsThereAtOnceAndAfterARestart() {
    grow(2048);

    assertThat(volumes().byId(made.getId()).orElseThrow().getSizeBytes()).isEqualTo(2048);
    test.restart();
    assertThat(volumes().byId(made.getId()).orElseThrow().getSizeBytes()).isEqualTo(2048);
    assertThat(volumes().byName("one")).isPresent();
  }

  @Test
  void aRecordIsOnDiskBeforeItTakesTheOldOnesPlaceAndTheRenameBeforeTheAnswer() {
    test.disk().failAt(Integer.MAX_VALUE, "");

    grow(2048);

    assertThat(test.disk().operations()).containsExactly("write", "rename", "sync");
  }

  /** Full disk: the state is as before (rule K7; the Go driver's file is then cut short). */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aDiskThatFailsAtAnyStepLeavesTheOldRecordInForce(int step) {
    test.disk().failAt(step, "No space left on device");

    assertThatThrownBy(() -> grow(2048)).hasMessageContaining(step == 2 ? "not known" : "no space");

    test.disk().heal();
    assertThat(volumes().byId(made.getId())).contains(made);
    test.restart();
    assertThat(volumes().byId(made.getId())).contains(made);
    assertThat(grow(4096).getSizeBytes()).isEqualTo(4096);
  }

  @Test
  void whatACrashLeftOfAnUpdateIsNotReadAndNotInTheWay() throws IOException {
    Files.writeString(volumes().folder(made).resolve("record.new"), "half of a rec");

    test.restart();

    assertThat(volumes().byId(made.getId())).contains(made);
    assertThat(grow(2048).getSizeBytes()).isEqualTo(2048);
  }

  @Test
  void whatIsGoneCantBeChanged() {
    volumes().delete(made);

    assertFails(Status.Code.NOT_FOUND, () -> grow(2048));
  }

  @Test
  void aChangeThatMakesNoDifferenceWritesNothing() {
    test.disk().failAt(Integer.MAX_VALUE, "");

    grow(1024);

    assertThat(test.disk().operations()).isEmpty();
  }

  @Test
  void aWatcherHearsOfWhatIsThereAndOfEachChange() {
    List<String> heard = new ArrayList<>();
    volumes()
        .watch(
            (before, after) ->
                heard.add(
                    (before == null ? "-" : before.getSizeBytes())
                        + " to "
                        + (after == null ? "-" : after.getSizeBytes())));
    grow(2048);
    volumes().delete(made);

    assertThat(heard).containsExactly("- to 1024", "1024 to 2048", "2048 to -");
  }
}
