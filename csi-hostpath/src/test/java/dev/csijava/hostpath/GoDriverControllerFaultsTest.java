package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.settings.SizeSettings;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documented faults of the Go driver's controller, each shown not to be ours. */
class GoDriverControllerFaultsTest {
  private DriverOnFakes driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  private Snapshot snapshot(String name, Volume of) {
    return driver
        .controller()
        .createSnapshot(Requests.snapshot(name, of.getVolumeId()).build())
        .getSnapshot();
  }

  private void refused(Status.Code code, CreateVolumeRequest.Builder request) {
    assertFails(code, () -> driver.controller().createVolume(request.build()));
  }

  @Test
  @DisplayName("a call whose capability is off gives INVALID_ARGUMENT")
  void aCallThatIsOffIsUnimplemented() throws IOException {
    driver.restart(s -> TestSettings.withoutOptions(s));
    Volume volume = driver.create("one");

    assertFails(
        Status.Code.UNIMPLEMENTED,
        () ->
            driver
                .controller()
                .controllerModifyVolume(
                    ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .putMutableParams("a", "b")
                        .build()));
    assertFails(
        Status.Code.UNIMPLEMENTED,
        () -> driver.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance()));
    assertFails(
        Status.Code.UNIMPLEMENTED,
        () ->
            driver
                .controller()
                .controllerPublishVolume(
                    ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId("node-1")
                        .setVolumeCapability(DriverOnFakes.WRITER)
                        .build()));
    assertFails(
        Status.Code.UNIMPLEMENTED,
        () ->
            driver
                .controller()
                .controllerExpandVolume(
                    ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1))
                        .build()));
  }

  @Test
  @DisplayName("ids tell when and where they were made")
  void idsHaveNothingInCommon() {
    BigInteger one = bits(driver.create("one").getVolumeId());
    BigInteger two = bits(driver.create("two").getVolumeId());

    // Half of 128 random bits differ; fewer than 30 in one of 2^28 runs. Of UUIDv1 some 10 do.
    assertThat(one.xor(two).bitCount()).isBetween(30, 98);
  }

  private static BigInteger bits(String id) {
    assertThat(id).matches("vol-[0-9a-f]{32}");
    return new BigInteger(id.substring("vol-".length()), 16);
  }

  @Test
  @DisplayName("a repeat by the same name compares neither access type nor parameters")
  void aRepeatWithOtherParametersOrCapabilitiesIsRefused() {
    driver.create("one");

    refused(Status.Code.ALREADY_EXISTS, Requests.create("one").putParameters("tier", "gold"));
    refused(
        Status.Code.ALREADY_EXISTS,
        Requests.create("one").addVolumeCapabilities(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER)));
  }

  @Test
  @DisplayName("accessibility_requirements are ignored")
  void aRequirementThatThisNodeCantMeetIsRefused() {
    CreateVolumeRequest.Builder elsewhere = Requests.create("one");
    elsewhere
        .getAccessibilityRequirementsBuilder()
        .addRequisiteBuilder()
        .putSegments("topology.hostpath.csi/node", "node-2");
    refused(Status.Code.RESOURCE_EXHAUSTED, elsewhere);

    elsewhere
        .getAccessibilityRequirementsBuilder()
        .addRequisiteBuilder()
        .putSegments("topology.hostpath.csi/node", "node-1");
    assertThat(driver.controller().createVolume(elsewhere.build()).getVolume())
        .satisfies(v -> assertThat(v.getAccessibleTopologyList()).hasSize(1));
  }

  @Test
  @DisplayName("the retry of a clone by the same name gives ALREADY_EXISTS, for sources get lost")
  void aRetryOfACloneOrRestoreFindsItAndAnotherSourceIsSeen() throws IOException {
    Volume source = driver.create("source");
    Snapshot first = snapshot("first", source);
    Snapshot second = snapshot("second", source);
    CreateVolumeRequest clone =
        Requests.create("clone")
            .setVolumeContentSource(Requests.fromVolume(source.getVolumeId()))
            .build();
    CreateVolumeRequest.Builder restore =
        Requests.create("restore")
            .setVolumeContentSource(Requests.fromSnapshot(first.getSnapshotId()));
    Volume cloned = driver.controller().createVolume(clone).getVolume();
    Volume restored = driver.controller().createVolume(restore.build()).getVolume();

    driver.restart();

    assertThat(driver.controller().createVolume(clone).getVolume()).isEqualTo(cloned);
    assertThat(driver.controller().createVolume(restore.build()).getVolume()).isEqualTo(restored);
    refused(
        Status.Code.ALREADY_EXISTS,
        restore.setVolumeContentSource(Requests.fromSnapshot(second.getSnapshotId())));
  }

  @Test
  @DisplayName("a crash while a volume is filled leaves a half-filled one for the retry")
  void whatWasBeingFilledAtACrashIsNoVolume() throws IOException {
    driver.create("one");
    Path half = driver.root().resolve("state/pending/vol-half/data");
    Files.createDirectories(half);
    Files.writeString(half.resolve("file"), "half");

    driver.restart();

    assertThat(half).doesNotExist();
    assertThat(
            driver
                .controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesCount())
        .isOne();
  }

  @Test
  @DisplayName("a volume in use is deleted, or INTERNAL")
  void aVolumeInUseIsNotDeleted() throws IOException {
    Volume volume = driver.create("one");
    driver.node().nodeStageVolume(driver.stage(volume.getVolumeId()).build());
    DeleteVolumeRequest delete =
        DeleteVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build();

    assertFails(Status.Code.FAILED_PRECONDITION, () -> driver.controller().deleteVolume(delete));

    assertThat(driver.onlyData()).isDirectory();
  }

  @Test
  @DisplayName("an attached volume is deleted")
  void anAttachedVolumeIsNotDeleted() throws IOException {
    driver.restart(s -> s.withAttach(new AttachSettings(true, 0, 0)));
    Volume volume = driver.create("one");
    driver
        .controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId("node-1")
                .setVolumeCapability(DriverOnFakes.WRITER)
                .build());
    DeleteVolumeRequest delete =
        DeleteVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build();

    assertThat(
            assertFails(
                Status.Code.FAILED_PRECONDITION, () -> driver.controller().deleteVolume(delete)))
        .contains("node-1");

    driver
        .controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .build());
    assertThat(driver.controller().deleteVolume(delete)).isNotNull();
  }

  @Test
  @DisplayName("detaching from an unknown node gives NOT_FOUND")
  void whatAnUnknownNodeHasIsDetached() throws IOException {
    driver.restart(s -> s.withAttach(new AttachSettings(true, 0, 0)));
    Volume volume = driver.create("one");

    assertThat(
            driver
                .controller()
                .controllerUnpublishVolume(
                    ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setNodeId("gone")
                        .build()))
        .isNotNull();
  }

  @Test
  @DisplayName("published_node_ids has an empty node id")
  void publishedNodesAreThoseItIsAttachedTo() throws IOException {
    driver.restart(s -> s.withAttach(new AttachSettings(true, 0, 0)));
    Volume volume = driver.create("one");
    assertThat(status().getPublishedNodeIdsList()).isEmpty();
    driver
        .controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId("node-1")
                .setVolumeCapability(DriverOnFakes.WRITER)
                .build());

    assertThat(status().getPublishedNodeIdsList()).containsExactly("node-1");
    assertThat(get(volume.getVolumeId()).getPublishedNodeIdsList()).containsExactly("node-1");
  }

  private ListVolumesResponse.VolumeStatus status() {
    return driver
        .controller()
        .listVolumes(ListVolumesRequest.getDefaultInstance())
        .getEntries(0)
        .getStatus();
  }

  private dev.csijava.spec.v1.ControllerGetVolumeResponse.VolumeStatus get(String volumeId) {
    return driver
        .controller()
        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(volumeId).build())
        .getStatus();
  }

  @Test
  @DisplayName("ValidateVolumeCapabilities confirms anything")
  void whatCantBeIsNotConfirmed() {
    Volume volume = driver.create("one");
    var answer =
        driver
            .controller()
            .validateVolumeCapabilities(
                ValidateVolumeCapabilitiesRequest.newBuilder()
                    .setVolumeId(volume.getVolumeId())
                    .addVolumeCapabilities(Requests.mount(Mode.SINGLE_NODE_WRITER, "no-such-flag"))
                    .build());

    assertThat(answer.hasConfirmed()).isFalse();
    assertThat(answer.getMessage()).isNotEmpty();
  }

  @Test
  @DisplayName("GetCapacity is negative when more is promised than there is")
  void roomIsNeverNegative() throws IOException {
    driver.restart(
        s -> s.withSizes(new SizeSettings(1 << 30, 0, Map.of("fast", 2 * Requests.SIZE))));
    driver
        .controller()
        .createVolume(
            Requests.create("one")
                .putParameters("kind", "fast")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * Requests.SIZE))
                .build());
    driver.restart(s -> s.withSizes(new SizeSettings(1 << 30, 0, Map.of("fast", 1L))));

    assertThat(
            driver
                .controller()
                .getCapacity(GetCapacityRequest.newBuilder().putParameters("kind", "fast").build())
                .getAvailableCapacity())
        .isZero();
  }

  @Test
  @DisplayName("ListVolumes never sets next_token")
  void aPageOfVolumesSaysThatMoreFollow() {
    driver.create("one");
    driver.create("two");
    ListVolumesRequest.Builder page = ListVolumesRequest.newBuilder().setMaxEntries(1);

    ListVolumesResponse first = driver.controller().listVolumes(page.build());
    ListVolumesResponse second =
        driver.controller().listVolumes(page.setStartingToken(first.getNextToken()).build());

    assertThat(first.getNextToken()).isNotEmpty();
    assertThat(second.getNextToken()).isEmpty();
    assertThat(second.getEntries(0)).isNotEqualTo(first.getEntries(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1", "99999999999", "x"})
  @DisplayName("a token that nobody handed out kills the process")
  void aTokenThatWasNotHandedOutIsAborted(String token) {
    driver.create("one");

    assertFails(
        Status.Code.ABORTED,
        () ->
            driver
                .controller()
                .listVolumes(ListVolumesRequest.newBuilder().setStartingToken(token).build()));
    assertFails(
        Status.Code.ABORTED,
        () ->
            driver
                .controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder().setStartingToken(token).build()));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () ->
            driver
                .controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder().setMaxEntries(-1).build()));
  }

  @Test
  @DisplayName("ControllerGetVolume of an unknown id is OK, with a bad condition")
  void anUnknownVolumeIsNotFound() {
    assertFails(Status.Code.NOT_FOUND, () -> get("vol-none"));
  }

  @Test
  @DisplayName("DeleteSnapshot removes STATEDIR/<id>.snap whatever the id is")
  void theIdOfASnapshotIsNoPath() throws IOException {
    Path outside = Files.writeString(driver.root().resolve("outside.snap"), "mine");
    Path inside = Files.writeString(driver.root().resolve("state/x.snap"), "mine");
    for (String id : new String[] {"../outside", "x", "../../outside", outside.toString()}) {
      assertThat(
              driver
                  .controller()
                  .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build()))
          .isNotNull();
    }

    assertThat(outside).hasContent("mine");
    assertThat(inside).hasContent("mine");
  }

  @Test
  @DisplayName("ListSnapshots by volume lists only the first")
  void allSnapshotsOfAVolumeAreListed() {
    Volume one = driver.create("one");
    Volume two = driver.create("two");
    Snapshot first = snapshot("first", one);
    Snapshot second = snapshot("second", one);
    Snapshot third = snapshot("third", two);

    assertThat(list(ListSnapshotsRequest.newBuilder().setSourceVolumeId(one.getVolumeId())))
        .containsExactlyInAnyOrder(first.getSnapshotId(), second.getSnapshotId());
    assertThat(list(ListSnapshotsRequest.newBuilder().setSnapshotId(third.getSnapshotId())))
        .containsExactly(third.getSnapshotId());
    assertThat(
            list(
                ListSnapshotsRequest.newBuilder()
                    .setSnapshotId(third.getSnapshotId())
                    .setSourceVolumeId(one.getVolumeId())))
        .isEmpty();
  }

  private java.util.List<String> list(ListSnapshotsRequest.Builder request) {
    return driver.controller().listSnapshots(request.build()).getEntriesList().stream()
        .map(entry -> entry.getSnapshot().getSnapshotId())
        .toList();
  }

  @Test
  @DisplayName("a snapshot says nothing of its own topology")
  void aSnapshotSaysWhereItIsToCallersOfTheNewerVersion() throws IOException {
    assertThat(snapshot("first", driver.create("one")).getAccessibleTopologyList()).isEmpty();

    driver.restart(s -> s.withServed(s.mode(), SpecVersion.V1_13));

    assertThat(
            driver
                .controller()
                .getSnapshot(
                    GetSnapshotRequest.newBuilder()
                        .setSnapshotId(list(ListSnapshotsRequest.newBuilder()).getFirst())
                        .build())
                .getSnapshot()
                .getAccessibleTopologyList())
        .hasSize(1);
  }
}
