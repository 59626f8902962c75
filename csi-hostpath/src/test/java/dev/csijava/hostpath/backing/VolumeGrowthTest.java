package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.controller.HostpathExpansion;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VolumeGrowthTest {
  private static final long PAGE = 4096;
  private static final long LARGEST = 100 * PAGE;

  private final TestState test = new TestState();
  private final VolumeSizes sizes = new VolumeSizes(LARGEST, PAGE);

  @AfterEach
  void close() {
    test.close();
  }

  private HostpathExpansion expansion(boolean onNode) {
    Backings backings = test.machine().backings(test.state().volumes());
    return new HostpathExpansion(
        test.state().volumes(),
        backings,
        new VolumeGrowth(
            test.state().volumes(),
            backings,
            sizes,
            new Promises(Map.of(), test.state().volumes())),
        onNode);
  }

  private Record volume(Backing backing, long bytes) {
    Record draft =
        Record.newBuilder()
            .setName("one")
            .setSizeBytes(bytes)
            .setBacking(backing)
            .setVolume(VolumeDetails.getDefaultInstance())
            .build();
    VolumeBacking made = test.machine().backings(test.state().volumes()).of(draft);
    return test.state().volumes().create(draft, data -> made.make(new BackedVolume(draft, data)));
  }

  private ControllerExpandVolumeResponse expand(Record volume, long required, long limit) {
    return expansion(true)
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(volume.getId())
                .setCapacityRange(
                    CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit))
                .build(),
            new FakeCall());
  }

  private long recorded(Record volume) {
    return test.state().volumes().byId(volume.getId()).orElseThrow().getSizeBytes();
  }

  private Path data(Record volume) {
    return test.state().volumes().data(volume);
  }

  @Test
  @DisplayName(
      "a directory has exactly the size that was asked for, and the node has nothing to do")
  void theSizeOfADirectoryIsNominal() {
    Record volume = volume(Backing.DIRECTORY, 10);

    ControllerExpandVolumeResponse answer = expand(volume, 10_001, 0);

    assertThat(answer.getCapacityBytes()).isEqualTo(10_001);
    assertThat(answer.getNodeExpansionRequired()).isFalse();
    test.restart();
    assertThat(recorded(volume)).isEqualTo(10_001);
  }

  @Test
  void aFileGrowsAndTheRecordWithIt() throws IOException {
    Record volume = volume(Backing.BLOCK, PAGE);

    assertThat(expand(volume, 2 * PAGE + 1, 0).getCapacityBytes()).isEqualTo(3 * PAGE);
    assertThat(expand(volume, 1, 0).getCapacityBytes()).isEqualTo(3 * PAGE);
    assertThat(Files.size(data(volume))).isEqualTo(3 * PAGE);
    assertThat(recorded(volume)).isEqualTo(3 * PAGE);
  }

  @Test
  @DisplayName("node_expansion_required follows what is advertised (B109)")
  void theNodeIsNeededWhereItHasWorkAndTheCapability() {
    Record volume = volume(Backing.BLOCK, PAGE);
    ControllerExpandVolumeRequest request =
        ControllerExpandVolumeRequest.newBuilder()
            .setVolumeId(volume.getId())
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * PAGE))
            .build();

    assertThat(
            expansion(false)
                .controllerExpandVolume(request, new FakeCall())
                .getNodeExpansionRequired())
        .isFalse();
    assertThat(
            expansion(true)
                .controllerExpandVolume(request, new FakeCall())
                .getNodeExpansionRequired())
        .isTrue();
  }

  @Test
  @DisplayName("a smaller expansion follows a larger one that failed, whatever it failed on")
  void aFailedGrowthLeavesTheVolumeAsItWas() throws IOException {
    Record volume = volume(Backing.BLOCK, PAGE);

    assertFails(Status.Code.OUT_OF_RANGE, () -> expand(volume, LARGEST + 1, 0));
    assertFails(Status.Code.OUT_OF_RANGE, () -> expand(volume, PAGE + 1, PAGE + 2));
    assertFails(Status.Code.OUT_OF_RANGE, () -> expand(volume, 0, PAGE - 1));
    test.disk().failAt(0, "No space left on device");
    // Never RESOURCE_EXHAUSTED: callers stay unsure of it for ever.
    assertFails(Status.Code.INTERNAL, () -> expand(volume, 50 * PAGE, 0));
    test.disk().heal();
    assertThat(Files.size(data(volume))).isEqualTo(PAGE);
    assertThat(recorded(volume)).isEqualTo(PAGE);

    assertThat(expand(volume, 2 * PAGE, 0).getCapacityBytes()).isEqualTo(2 * PAGE);
    test.restart();
    assertThat(recorded(volume)).isEqualTo(2 * PAGE);
  }

  @Test
  void whatAGrowthLeftThatACrashKeptFromItsRecordIsCutOff() throws IOException {
    Record volume = volume(Backing.BLOCK, PAGE);
    BackedVolume backed = new BackedVolume(volume, data(volume));
    VolumeBacking backing = test.machine().backings(test.state().volumes()).of(volume);
    backing.resize(backed, 9 * PAGE);

    backing.stage(
        backed,
        test.root().resolve("staging"),
        BackingChoice.access(volume, Requests.block(Mode.SINGLE_NODE_WRITER)));

    assertThat(Files.size(data(volume))).isEqualTo(PAGE);
    assertThat(test.machine().loops().sizeOf(data(volume))).isEqualTo(PAGE);
    assertThat(expand(volume, 2 * PAGE, 0).getCapacityBytes()).isEqualTo(2 * PAGE);
  }

  @Test
  void anUnknownVolumeIsNotFoundAndAnotherAccessTypeInvalid() {
    Record volume = volume(Backing.BLOCK, PAGE);
    VolumeCapability mount = Requests.mount(Mode.SINGLE_NODE_WRITER);

    assertFails(
        Status.Code.NOT_FOUND,
        () ->
            expansion(true)
                .controllerExpandVolume(
                    ControllerExpandVolumeRequest.newBuilder().setVolumeId("nobody").build(),
                    new FakeCall()));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () ->
            expansion(true)
                .controllerExpandVolume(
                    ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getId())
                        .setVolumeCapability(mount)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * PAGE))
                        .build(),
                    new FakeCall()));
    assertThat(recorded(volume)).isEqualTo(PAGE);
  }
}
