package dev.csijava.hostpath.controller;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostpathVolumesTest {
  private static final long LARGEST = 1L << 40;
  private static final FakeCall CALL = new FakeCall();

  private final TestState test = new TestState();
  private final NodeTopology topology = new NodeTopology("node-1");
  private HostpathVolumes volumes = volumes();

  private HostpathVolumes volumes() {
    return new HostpathVolumes(
        test.state(),
        test.data(LARGEST),
        test.uses(),
        Policies.of(test.state(), new VolumeSizes(LARGEST, Math.min(1L << 30, LARGEST))),
        topology);
  }

  private HostpathSnapshots snapshots() {
    return new HostpathSnapshots(
        test.state(),
        test.data(LARGEST),
        topology,
        new SnapshotMessages(List.of()),
        TestState.clock());
  }

  @AfterEach
  void close() {
    test.close();
  }

  private Volume create(CreateVolumeRequest.Builder request) {
    return volumes.createVolume(request.build(), CALL).getVolume();
  }

  private void assertRefused(Status.Code code, CreateVolumeRequest.Builder request) {
    var before = test.names("volumes");
    assertFails(code, () -> volumes.createVolume(request.build(), CALL));
    assertThat(test.names("volumes")).isEqualTo(before);
    assertThat(test.names("pending")).isEmpty();
  }

  private Path data(Volume volume) {
    return test.state()
        .volumes()
        .data(test.state().volumes().byId(volume.getVolumeId()).orElseThrow());
  }

  @Test
  void aVolumeHasSizeContextAndTheTopologyOfItsNode() {
    Volume volume = create(Requests.create("one").putParameters("tier", "gold"));

    assertThat(volume.getCapacityBytes()).isEqualTo(Requests.SIZE);
    assertThat(volume.getVolumeContextMap()).containsExactly(java.util.Map.entry("tier", "gold"));
    assertThat(volume.getAccessibleTopologyList())
        .containsExactly(
            Topology.newBuilder().putSegments("topology.hostpath.csi/node", "node-1").build());
    assertThat(volume.hasContentSource()).isFalse();
  }

  @Test
  void theRootOfAVolumeHasAModeOfItsOwnWhateverTheUmask() throws IOException {
    Volume volume = create(Requests.create("one"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data(volume))))
        .isEqualTo("rwxr-xr-x");
  }

  @Test
  void aRepeatGivesTheSameAnswerAlsoAfterARestart() {
    CreateVolumeRequest.Builder request = Requests.create("one").putParameters("tier", "gold");
    Volume first = create(request);

    assertThat(create(request.putSecrets("token", "other"))).isEqualTo(first);
    test.restart();
    volumes = volumes();
    assertThat(create(request)).isEqualTo(first);
    assertThat(test.names("volumes")).hasSize(1);
  }

  @Test
  void secretsDoNotReachTheDisk() {
    Volume volume = create(Requests.create("one").putSecrets("password", "hunter2"));

    assertThat(data(volume).resolveSibling("record"))
        .content()
        .doesNotContain("hunter2", "password");
  }

  @Test
  void anotherRequestByTheSameNameIsRefused() {
    create(Requests.create("one"));

    assertRefused(
        Status.Code.ALREADY_EXISTS,
        Requests.create("one")
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(Requests.SIZE + 1)));
    assertRefused(
        Status.Code.ALREADY_EXISTS, Requests.create("one").putParameters("tier", "silver"));
    Volume other = create(Requests.create("other"));
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        Requests.create("one").setVolumeContentSource(Requests.fromVolume(other.getVolumeId())));
    assertRefused(
        Status.Code.ALREADY_EXISTS,
        Requests.create("one").setAccessibilityRequirements(requisite("node-2")));
  }

  @Test
  void aSizeThatTheVolumeSatisfiesIsARepeat() {
    Volume first = create(Requests.create("one"));

    assertThat(
            create(
                Requests.create("one")
                    .setCapacityRange(CapacityRange.newBuilder().setLimitBytes(LARGEST))))
        .isEqualTo(first);
  }

  @Test
  void aRequestWithoutASizeGetsOneGibibyte() {
    assertThat(create(Requests.create("one").clearCapacityRange()).getCapacityBytes())
        .isEqualTo(1L << 30);
  }

  @Test
  void sizesThatMakeNoSenseAreInvalid() {
    assertRefused(Status.Code.INVALID_ARGUMENT, sized(0, 0));
    assertRefused(Status.Code.INVALID_ARGUMENT, sized(-1, 0));
    assertRefused(Status.Code.INVALID_ARGUMENT, sized(0, -1));
    assertRefused(Status.Code.INVALID_ARGUMENT, sized(2, 1));
  }

  @Test
  void sizesAboveTheLargestAreOutOfRange() {
    assertRefused(Status.Code.OUT_OF_RANGE, sized(LARGEST + 1, 0));
    assertRefused(Status.Code.OUT_OF_RANGE, sized(1L << 62, 0));
    assertThat(create(sized(LARGEST, LARGEST)).getCapacityBytes()).isEqualTo(LARGEST);
  }

  private static CreateVolumeRequest.Builder sized(long required, long limit) {
    return Requests.create("sized")
        .setCapacityRange(
            CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit));
  }

  @Test
  void eachListedCapabilityMustBeServed() {
    assertRefused(Status.Code.INVALID_ARGUMENT, Requests.create("one").clearVolumeCapabilities());
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one").addVolumeCapabilities(Requests.block()));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one").addVolumeCapabilities(VolumeCapability.getDefaultInstance()));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one").addVolumeCapabilities(Requests.mount(Mode.UNKNOWN)));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one")
            .addVolumeCapabilities(Requests.mount(Mode.SINGLE_NODE_WRITER, "data=journal")));
    VolumeCapability.Builder grouped = Requests.mount(Mode.SINGLE_NODE_WRITER).toBuilder();
    grouped.getMountBuilder().setVolumeMountGroup("1000");
    assertRefused(
        Status.Code.INVALID_ARGUMENT, Requests.create("one").addVolumeCapabilities(grouped));
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"UNKNOWN", "UNRECOGNIZED"},
      mode = EnumSource.Mode.EXCLUDE)
  void everyAccessModeIsServed(Mode mode) {
    create(
        Requests.create("one")
            .clearVolumeCapabilities()
            .addVolumeCapabilities(Requests.mount(mode, "noexec", "ro")));
  }

  @Test
  void parametersThatAskForWhatIsNotOfferedAreInvalid() {
    assertRefused(
        Status.Code.INVALID_ARGUMENT, Requests.create("one").putParameters("backing", "tape"));
    assertRefused(
        Status.Code.INVALID_ARGUMENT, Requests.create("one").putParameters("kind", "fast"));
    assertRefused(
        Status.Code.INVALID_ARGUMENT, Requests.create("one").putMutableParams("iops", "100"));
    create(Requests.create("one").putParameters("backing", "directory"));
  }

  @Test
  void anotherNodeIsResourceExhausted() {
    assertRefused(
        Status.Code.RESOURCE_EXHAUSTED,
        Requests.create("one").setAccessibilityRequirements(requisite("node-2")));
    create(Requests.create("one").setAccessibilityRequirements(requisite("node-2", "node-1")));
  }

  @Test
  void topologiesThatMakeNoSenseAreInvalid() {
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one")
            .setAccessibilityRequirements(TopologyRequirement.getDefaultInstance()));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one")
            .setAccessibilityRequirements(
                requisite("node-1").toBuilder().addPreferred(on("node-2"))));
  }

  /** Keys that differ by case alone are one key (GEN-TOPO-006). */
  @Test
  void theCaseOfATopologyKeyDoesNotMatter() {
    create(
        Requests.create("one")
            .setAccessibilityRequirements(
                requisite("node-2", "node-1").toBuilder()
                    .addPreferred(
                        Topology.newBuilder()
                            .putSegments("topology.hostpath.csi/Node", "node-1"))));
  }

  /** A provisioner names every node of its cluster, in both lists. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theNodesOfALargeClusterAreNoWork() {
    TopologyRequirement.Builder all = TopologyRequirement.newBuilder();
    for (int i = 0; i < 30_000; i++) {
      all.addRequisite(on("node-" + i));
    }
    all.addAllPreferred(all.getRequisiteList().reversed());

    assertThat(topology.satisfies(all.build())).isTrue();
  }

  private static TopologyRequirement requisite(String... nodes) {
    TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
    for (String node : nodes) {
      requirement.addRequisite(on(node));
    }
    return requirement.build();
  }

  private static Topology on(String node) {
    return Topology.newBuilder().putSegments("topology.hostpath.csi/node", node).build();
  }

  @Test
  void aCloneHoldsWhatTheSourceHeldAndIsItsOwn() throws IOException {
    Volume source = create(Requests.create("source"));
    Files.writeString(data(source).resolve("file"), "before");

    Volume clone =
        create(
            Requests.create("clone")
                .setVolumeContentSource(Requests.fromVolume(source.getVolumeId())));
    Files.writeString(data(source).resolve("file"), "after");

    assertThat(data(clone).resolve("file")).hasContent("before");
    assertThat(clone.getContentSource()).isEqualTo(Requests.fromVolume(source.getVolumeId()));
  }

  @Test
  void aRepeatOfARestoreCarriesItsSourceAlsoWhenThatIsGone() {
    Volume source = create(Requests.create("source"));
    CreateVolumeRequest.Builder request =
        Requests.create("clone").setVolumeContentSource(Requests.fromVolume(source.getVolumeId()));
    Volume clone = create(request);
    delete(source.getVolumeId());

    assertThat(create(request)).isEqualTo(clone);
  }

  @Test
  void aRestoreHoldsWhatTheSnapshotHolds() throws IOException {
    Volume source = create(Requests.create("source"));
    Files.writeString(data(source).resolve("file"), "cut");
    String snapshot =
        snapshots()
            .createSnapshot(Requests.snapshot("snap", source.getVolumeId()).build(), CALL)
            .getSnapshot()
            .getSnapshotId();
    Files.delete(data(source).resolve("file"));
    delete(source.getVolumeId());

    Volume restored =
        create(
            Requests.create("restored")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * Requests.SIZE))
                .setVolumeContentSource(Requests.fromSnapshot(snapshot)));

    assertThat(data(restored).resolve("file")).hasContent("cut");
    assertThat(restored.getCapacityBytes()).isEqualTo(2 * Requests.SIZE);
    assertThat(restored.getContentSource()).isEqualTo(Requests.fromSnapshot(snapshot));
  }

  @Test
  void aCopySmallerThanItsSourceIsOutOfRange() {
    Volume source = create(Requests.create("source"));

    assertRefused(
        Status.Code.OUT_OF_RANGE,
        sized(Requests.SIZE - 1, 0)
            .setVolumeContentSource(Requests.fromVolume(source.getVolumeId())));
  }

  @Test
  void aCopyWithoutASizeHasTheSizeOfItsSource() {
    Volume source = create(Requests.create("source"));

    assertThat(
            create(
                    Requests.create("clone")
                        .clearCapacityRange()
                        .setVolumeContentSource(Requests.fromVolume(source.getVolumeId())))
                .getCapacityBytes())
        .isEqualTo(Requests.SIZE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nobody", "../../etc", "/", "a\0b", "ü", "vol-00000000000000000000000000000000"})
  void aSourceThatIsUnknownIsNotFound(String id) {
    assertRefused(
        Status.Code.NOT_FOUND,
        Requests.create("one").setVolumeContentSource(Requests.fromVolume(id)));
    assertRefused(
        Status.Code.NOT_FOUND,
        Requests.create("one").setVolumeContentSource(Requests.fromSnapshot(id)));
  }

  @Test
  void aSourceThatNamesNothingIsInvalid() {
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one").setVolumeContentSource(VolumeContentSource.getDefaultInstance()));
    assertRefused(
        Status.Code.INVALID_ARGUMENT,
        Requests.create("one").setVolumeContentSource(Requests.fromSnapshot("")));
  }

  private void delete(String volumeId) {
    volumes.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(volumeId).build(), CALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nobody", "../volumes", "/", "a\0b", "ü", "."})
  void deletingWhatIsUnknownIsOkAndTouchesNothing(String id) {
    Volume kept = create(Requests.create("kept"));

    delete(id);

    assertThat(data(kept)).isDirectory();
    assertThat(test.names("trash")).isEmpty();
  }

  /** Else its data stays for ever, and nobody in the cluster knows of it any more. */
  @Test
  void whatLiesThereWithoutAUsableRecordIsNotCalledDeleted() throws IOException {
    Volume volume = create(Requests.create("one"));
    String snapshot =
        snapshots()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder()
                    .setName("cut")
                    .setSourceVolumeId(volume.getVolumeId())
                    .build(),
                CALL)
            .getSnapshot()
            .getSnapshotId();
    Path volumeFolder =
        test.state()
            .volumes()
            .folder(test.state().volumes().byId(volume.getVolumeId()).orElseThrow());
    Path snapshotFolder =
        test.state().snapshots().folder(test.state().snapshots().byId(snapshot).orElseThrow());
    Files.delete(volumeFolder.resolve("record"));
    Files.writeString(snapshotFolder.resolve("record"), "schema_version: 99");
    test.restart();
    volumes = volumes();

    assertFails(Status.Code.FAILED_PRECONDITION, () -> delete(volume.getVolumeId()));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> deleteSnapshot(snapshot));

    assertThatThrownBy(() -> test.state().volumes().update(volume.getVolumeId(), same -> same))
        .as("whoever looks for it hears why it is not served")
        .hasMessageContainingAll(volumeFolder.toString(), "it has no record");
    assertThat(volumeFolder.resolve("data")).isDirectory();
    assertThat(snapshotFolder.resolve("data")).isDirectory();
    Files.move(volumeFolder, test.root().resolve("elsewhere"));
    delete(volume.getVolumeId());
  }

  private void deleteSnapshot(String id) {
    snapshots().deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build(), CALL);
  }

  @Test
  void aVolumeThatIsMountedIsNotDeleted() throws IOException {
    Volume volume = create(Requests.create("one"));
    Path target = Files.createDirectory(test.root().resolve("target"));
    test.kernel().bind(data(volume), target, dev.csijava.core.mount.MountOptions.NONE);

    assertFails(Status.Code.FAILED_PRECONDITION, () -> delete(volume.getVolumeId()));
    assertThat(data(volume)).isDirectory();

    test.kernel().unmount(target);
    delete(volume.getVolumeId());
    assertThat(test.names("volumes")).isEmpty();
  }

  @Test
  void whatCanBeServedIsConfirmedAndTheRestNot() {
    Volume volume = create(Requests.create("one").putParameters("tier", "gold"));
    var request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .addVolumeCapabilities(Requests.mount(Mode.MULTI_NODE_MULTI_WRITER));

    ValidateVolumeCapabilitiesResponse served =
        volumes.validateVolumeCapabilities(request.build(), CALL);
    ValidateVolumeCapabilitiesResponse refused =
        volumes.validateVolumeCapabilities(
            request.addVolumeCapabilities(Requests.block()).build(), CALL);

    assertThat(served.getConfirmed().getVolumeCapabilitiesCount()).isOne();
    assertThat(served.getConfirmed().getVolumeContextMap()).isEqualTo(volume.getVolumeContextMap());
    assertThat(refused.hasConfirmed()).isFalse();
    assertThat(refused.getMessage()).contains("block").hasSizeLessThan(128);
  }

  @Test
  void theContextOfAnotherVolumeIsInvalid() {
    Volume volume = create(Requests.create("one").putParameters("tier", "gold"));
    var request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putVolumeContext("tier", "silver")
            .addVolumeCapabilities(Requests.mount(Mode.SINGLE_NODE_WRITER));

    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> volumes.validateVolumeCapabilities(request.build(), CALL));
    request.putVolumeContext("tier", "gold");
    request.putVolumeContext("storage.kubernetes.io/csiProvisionerIdentity", "x");
    assertThat(volumes.validateVolumeCapabilities(request.build(), CALL).hasConfirmed()).isTrue();
  }

  /** CTRL-VALIDATE-010: what is confirmed was looked at. */
  @Test
  void theParametersOfAnotherClassAreNotConfirmed() {
    Volume volume = create(Requests.create("one").putParameters("tier", "gold"));
    var request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putParameters("backing", "image")
            .addVolumeCapabilities(Requests.mount(Mode.SINGLE_NODE_WRITER));

    var refused = volumes.validateVolumeCapabilities(request.build(), CALL);
    var confirmed =
        volumes.validateVolumeCapabilities(
            request
                .clearParameters()
                .putParameters("tier", "gold")
                .putParameters("csi.storage.k8s.io/fstype", "ext4")
                .build(),
            CALL);

    assertThat(refused.hasConfirmed()).isFalse();
    assertThat(refused.getMessage()).contains("parameters").hasSizeLessThan(128);
    assertThat(confirmed.getConfirmed().getParametersMap()).containsEntry("tier", "gold");
  }
}
