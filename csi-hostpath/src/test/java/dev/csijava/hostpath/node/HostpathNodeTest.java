package dev.csijava.hostpath.node;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.ephemeral.InlineVolumes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostpathNodeTest {
  private static final FakeCall CALL = new FakeCall();
  private static final VolumeSizes SIZES = new VolumeSizes(1L << 40, 1L << 30);

  private final FakeKernel kernel = new FakeKernel();
  private FakeMachine machine;
  private Path root;
  private StateDirectory state;
  private Record volume;
  private Path staging;
  private HostpathStaging stages;
  private HostpathPublishing publishes;
  private HostpathStats stats;
  private AttachedNodes attached = Policies.UNATTACHED;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    root = directory.toRealPath();
    state =
        StateDirectory.open(
            root.resolve("state"), new LocalDisk(), kernel, Steps.NONE, TestState.clock());
    volume = volume("one");
    staging = Files.createDirectory(root.resolve("globalmount"));
    machine = new FakeMachine(kernel, Files.createDirectory(root.resolve("dev")), new LocalDisk());
    start();
  }

  private void start() throws IOException {
    Stagings stagings = Stagings.open(root.resolve("run"));
    NodeVolumes volumes =
        new NodeVolumes(state.volumes(), machine.backings(state.volumes()), kernel, kernel);
    Detachment detachment = new Detachment(kernel);
    StagedVolumes staged = new StagedVolumes(volumes, stagings, detachment);
    stages = new HostpathStaging(volumes, staged, attached);
    publishes =
        new HostpathPublishing(
            volumes,
            staged,
            Publications.open(root.resolve("run")),
            kernel,
            detachment,
            new InlinePublishing(inline(), volumes, staged, kernel, detachment),
            attached);
    stats = new HostpathStats(volumes, stagings);
  }

  private InlineVolumes inline() {
    return new InlineVolumes(
        state.volumes(),
        new VolumeData(machine.backings(state.volumes()), SIZES),
        SIZES,
        new Promises(Map.of(), state.volumes()),
        new VolumeUses(
            state.volumes(), machine.backings(state.volumes()), kernel, volume -> List.of()));
  }

  @AfterEach
  void close() throws IOException {
    state.close();
  }

  private Record volume(String name) {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(1)
            .setBacking(Backing.DIRECTORY)
            .setVolume(VolumeDetails.newBuilder().putContext("tier", "gold"))
            .build();
    return state.volumes().create(draft, Files::createDirectory);
  }

  private Path data(Record of) {
    return state.volumes().data(of);
  }

  private NodeStageVolumeRequest.Builder stage() {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(volume.getId())
        .setStagingTargetPath(staging.toString())
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER));
  }

  private void stageIt() {
    stages.nodeStageVolume(stage().build(), CALL);
  }

  private NodePublishVolumeRequest.Builder publish(String target) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volume.getId())
        .setStagingTargetPath(staging.toString())
        .setTargetPath(root.resolve(target).toString())
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER));
  }

  private void publishIt(NodePublishVolumeRequest.Builder request) {
    publishes.nodePublishVolume(request.build(), CALL);
  }

  private void unpublish(String volumeId, Path target) {
    publishes.nodeUnpublishVolume(
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volumeId)
            .setTargetPath(target.toString())
            .build(),
        CALL);
  }

  private void unstage(String volumeId) {
    stages.nodeUnstageVolume(
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId(volumeId)
            .setStagingTargetPath(staging.toString())
            .build(),
        CALL);
  }

  @Test
  void stagingMakesTheVolumeAppearAndAgainChangesNothing() {
    stageIt();
    stageIt();

    assertThat(kernel.isMountOf(data(volume), staging)).isTrue();
    assertThat(kernel.targets()).containsExactly(staging);
  }

  @Test
  void unstagingLeavesTheDirectoryToTheCallerAndAgainIsOk() {
    stageIt();

    unstage(volume.getId());
    unstage(volume.getId());

    assertThat(kernel.targets()).isEmpty();
    assertThat(staging).isDirectory();
  }

  @Test
  void aStagingPathWithSomethingElseOnItIsRefusedAndLeftAlone() {
    kernel.mountForeign(staging);

    assertFails(Status.Code.ALREADY_EXISTS, this::stageIt);
    assertFails(Status.Code.FAILED_PRECONDITION, () -> unstage(volume.getId()));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> publishIt(publish("target")));
    assertThat(kernel.targets()).containsExactly(staging);
  }

  @Test
  void stagingAgainInAnotherReadOnlyStateIsAlreadyExists() {
    stageIt();

    assertFails(
        Status.Code.ALREADY_EXISTS,
        () ->
            stages.nodeStageVolume(
                stage().setVolumeCapability(Requests.mount(Mode.MULTI_NODE_READER_ONLY)).build(),
                CALL));
  }

  @Test
  void stagingPathsThatAreNotEmptyDirectoriesAreRefused() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "x");
    Path full = Files.createDirectory(root.resolve("full"));
    Files.writeString(full.resolve("precious"), "x");
    Path link = Files.createSymbolicLink(root.resolve("link"), staging);

    assertStageFails(Status.Code.INVALID_ARGUMENT, "globalmount");
    assertStageFails(Status.Code.INVALID_ARGUMENT, root + "/a/../globalmount");
    assertStageFails(Status.Code.INVALID_ARGUMENT, file.toString());
    assertStageFails(Status.Code.INVALID_ARGUMENT, link.toString());
    assertStageFails(Status.Code.FAILED_PRECONDITION, full.toString());
    assertStageFails(Status.Code.FAILED_PRECONDITION, root.resolve("missing").toString());
    assertThat(kernel.targets()).isEmpty();
  }

  private void assertStageFails(Status.Code code, String path) {
    assertFails(
        code, () -> stages.nodeStageVolume(stage().setStagingTargetPath(path).build(), CALL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "../one", "/", "a\0b", "ü", "."})
  void anUnknownVolumeIsNotFoundAndNothingIsMade(String id) {
    assertFails(
        Status.Code.NOT_FOUND, () -> stages.nodeStageVolume(stage().setVolumeId(id).build(), CALL));
    assertFails(Status.Code.NOT_FOUND, () -> publishIt(publish("target").setVolumeId(id)));
    assertFails(Status.Code.NOT_FOUND, () -> statsAt(id, staging.toString()));
    assertThat(kernel.targets()).isEmpty();
    assertThat(root.resolve("target")).doesNotExist();
  }

  @Test
  void whatTheVolumeCantServeIsAFailedPrecondition() {
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () -> stages.nodeStageVolume(stage().setVolumeCapability(Requests.block()).build(), CALL));
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () -> publishIt(publish("target").setVolumeCapability(Requests.block())));
  }

  @Test
  void theContextOfAnotherVolumeIsInvalid() {
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> stages.nodeStageVolume(stage().putVolumeContext("tier", "tin").build(), CALL));
    stages.nodeStageVolume(
        stage()
            .putVolumeContext("tier", "gold")
            .putVolumeContext("csi.storage.k8s.io/x", "y")
            .build(),
        CALL);
  }

  @Test
  void publishingMakesTheTargetAndBindsTheVolume() {
    stageIt();

    publishIt(publish("target"));
    publishIt(publish("target"));

    assertThat(kernel.isMountOf(data(volume), root.resolve("target"))).isTrue();
    assertThat(kernel.targets()).hasSize(2);
  }

  @Test
  void unpublishingRemovesTheTargetAndNothingElse() {
    stageIt();
    publishIt(publish("a"));
    publishIt(publish("b"));

    unpublish(volume.getId(), root.resolve("a"));
    unpublish(volume.getId(), root.resolve("a"));

    assertThat(root.resolve("a")).doesNotExist();
    assertThat(kernel.targets()).containsExactlyInAnyOrder(staging, root.resolve("b"));
  }

  @Test
  void aReadOnlyPublicationIsReadOnlyAndTheOthersAreNot() {
    stageIt();
    publishIt(publish("ro").setReadonly(true));
    publishIt(publish("rw"));

    assertThat(kernel.isReadOnly(root.resolve("ro"))).isTrue();
    assertThat(kernel.isReadOnly(root.resolve("rw"))).isFalse();
    assertFails(Status.Code.ALREADY_EXISTS, () -> publishIt(publish("rw").setReadonly(true)));
    assertFails(Status.Code.ALREADY_EXISTS, () -> publishIt(publish("ro")));
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SINGLE_NODE_READER_ONLY", "MULTI_NODE_READER_ONLY"})
  void aReaderOnlyModeIsReadOnly(Mode mode) {
    publishIt(publish("target").setVolumeCapability(Requests.mount(mode)));

    assertThat(kernel.isReadOnly(root.resolve("target"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_READER_ONLY"})
  void aModeForOneTargetRefusesASecond(Mode mode) throws IOException {
    publishIt(publish("a").setVolumeCapability(Requests.mount(mode)));
    start();

    publishIt(publish("a").setVolumeCapability(Requests.mount(mode)));
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () -> publishIt(publish("b").setVolumeCapability(Requests.mount(mode))));
    assertThat(root.resolve("b")).doesNotExist();

    unpublish(volume.getId(), root.resolve("a"));
    publishIt(publish("b").setVolumeCapability(Requests.mount(mode)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {
        "SINGLE_NODE_MULTI_WRITER",
        "MULTI_NODE_READER_ONLY",
        "MULTI_NODE_SINGLE_WRITER",
        "MULTI_NODE_MULTI_WRITER"
      })
  void theOtherModesAllowASecondTarget(Mode mode) {
    publishIt(publish("a").setVolumeCapability(Requests.mount(mode)));
    publishIt(publish("b").setVolumeCapability(Requests.mount(mode)));

    assertThat(kernel.targets()).hasSize(3);
  }

  @Test
  void aSingleWriterKeepsTheOthersAway() {
    publishIt(publish("a").setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_SINGLE_WRITER)));

    assertFails(Status.Code.FAILED_PRECONDITION, () -> publishIt(publish("b")));
  }

  @Test
  void aPublicationThatTheKernelDoesNotShowDoesNotCount() {
    publishIt(publish("a").setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_SINGLE_WRITER)));
    kernel.lose(root.resolve("a"));

    publishIt(publish("b").setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_SINGLE_WRITER)));

    assertThat(kernel.isMountOf(data(volume), root.resolve("b"))).isTrue();
  }

  @Test
  void aLostStagingIsRepairedByTheNextPublish() {
    stageIt();
    kernel.lose(staging);

    publishIt(publish("target"));

    assertThat(kernel.isMountOf(data(volume), staging)).isTrue();
    assertThat(kernel.isMountOf(data(volume), root.resolve("target"))).isTrue();
  }

  @Test
  void publishingNeedsAStagingPathButOtherFieldsAreJudgedFirst() {
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () -> publishIt(publish("target").clearStagingTargetPath()));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> publishIt(publish("target").clearStagingTargetPath().clearVolumeCapability()));
  }

  @Test
  void targetsThatAreSomebodysAreRefusedAndLeftAlone() throws IOException {
    stageIt();
    Path file = Files.writeString(root.resolve("file"), "x");
    Path full = Files.createDirectory(root.resolve("full"));
    Files.writeString(full.resolve("precious"), "x");
    Path link = Files.createSymbolicLink(root.resolve("link"), full);
    Path foreign = Files.createDirectory(root.resolve("foreign"));
    kernel.mountForeign(foreign);

    for (String target : new String[] {"file", "full", "link", "missing/target"}) {
      assertFails(Status.Code.FAILED_PRECONDITION, () -> publishIt(publish(target)));
    }
    assertFails(Status.Code.ALREADY_EXISTS, () -> publishIt(publish("foreign")));
    for (Path target : new Path[] {file, full, link, foreign}) {
      assertFails(Status.Code.FAILED_PRECONDITION, () -> unpublish(volume.getId(), target));
    }
    assertFails(
        Status.Code.INVALID_ARGUMENT, () -> publishIt(publish("x").setTargetPath("relative")));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> unpublish(volume.getId(), Path.of("relative")));

    assertThat(file).hasContent("x");
    assertThat(full.resolve("precious")).hasContent("x");
    assertThat(link).isSymbolicLink();
    assertThat(kernel.targets()).isEqualTo(Set.of(staging, foreign));
  }

  @Test
  void theTargetOfAnotherVolumeIsNotUnmounted() {
    Record other = volume("other");
    publishIt(publish("target"));

    assertFails(
        Status.Code.FAILED_PRECONDITION, () -> unpublish(other.getId(), root.resolve("target")));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> unpublish("nobody", root.resolve("target")));

    assertThat(kernel.isMountOf(data(volume), root.resolve("target"))).isTrue();
  }

  @Test
  void anUnknownVolumeWithNothingToUndoIsOk() {
    unpublish("nobody", root.resolve("target"));
    unpublish("nobody", root.resolve("missing/target"));
    unstage("../nobody");
  }

  @Test
  void aMountOfOursWhoseRecordIsLostIsTakenAway() throws IOException {
    publishIt(publish("target"));
    Path folder = state.volumes().folder(volume);
    Files.delete(folder.resolve("record"));
    state.close();
    state =
        StateDirectory.open(
            root.resolve("state"), new LocalDisk(), kernel, Steps.NONE, TestState.clock());
    start();

    unpublish(volume.getId(), root.resolve("target"));
    unstage(volume.getId());

    assertThat(kernel.targets()).isEmpty();
    assertThat(folder.resolve("data")).isDirectory();
  }

  @Test
  void aPublishThatFailsLeavesNothingThatItMade() throws IOException {
    stageIt();
    Path before = Files.createDirectory(root.resolve("before"));
    kernel.failMounts(true);

    assertFails(Status.Code.INTERNAL, () -> publishIt(publish("target")));
    assertFails(Status.Code.INTERNAL, () -> publishIt(publish("before")));

    assertThat(root.resolve("target")).doesNotExist();
    assertThat(before).isDirectory();
    try (var files = Files.list(root.resolve("run/publications"))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theFieldThatIsWrongIsNamed() throws IOException {
    Path full = Files.createDirectory(root.resolve("full"));
    Files.writeString(full.resolve("precious"), "x");
    NodePublishVolumeRequest.Builder inline =
        publish("full")
            .clearStagingTargetPath()
            .setVolumeId("csi-inline")
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true");

    assertThat(assertFails(Status.Code.FAILED_PRECONDITION, () -> publishIt(inline)))
        .hasMessageStartingWith("target_path");
    assertThat(
            assertFails(
                Status.Code.FAILED_PRECONDITION,
                () ->
                    stages.nodeStageVolume(
                        stage().setStagingTargetPath(full.toString()).build(), CALL)))
        .hasMessageStartingWith("staging_target_path");
  }

  @Test
  void aRunDirectoryThatCantBeWrittenIsNamedWithTheReason() throws IOException {
    Path folder = root.resolve("run/staged");
    Files.delete(folder);

    assertThat(assertFails(Status.Code.INTERNAL, this::stageIt))
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("no such file");
    Files.createDirectory(folder);
    stageIt();
  }

  private dev.csijava.spec.v1.NodeGetVolumeStatsResponse statsAt(String id, String path) {
    return stats.nodeGetVolumeStats(
        NodeGetVolumeStatsRequest.newBuilder().setVolumeId(id).setVolumePath(path).build(), CALL);
  }

  @Test
  void statsAreGivenWhereTheVolumeIsAndNowhereElse() throws IOException {
    publishIt(publish("target"));
    Path foreign = Files.createDirectory(root.resolve("foreign"));

    assertThat(statsAt(volume.getId(), staging.toString()).getUsageCount()).isEqualTo(2);
    assertThat(statsAt(volume.getId(), root.resolve("target").toString()).getUsage(0).getTotal())
        .isEqualTo(10);
    for (String path :
        new String[] {foreign.toString(), "some/path", "", "/", "/a\0b", "/x/../y"}) {
      assertFails(Status.Code.NOT_FOUND, () -> statsAt(volume.getId(), path));
    }
  }
}
