package dev.csijava.hostpath.node;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.ProbeResult;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeGrowth;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.ephemeral.InlineVolumes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images and raw block volumes on a node without a kernel. */
class ImageNodeTest {
  private static final FakeCall CALL = new FakeCall();
  private static final long SIZE = 1 << 20;
  private static final VolumeSizes SIZES = new VolumeSizes(100 * SIZE, SIZE);
  private static final VolumeCapability EXT4 =
      Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
  private static final VolumeCapability BLOCK = Requests.block(Mode.SINGLE_NODE_MULTI_WRITER);

  private final FakeKernel kernel = new FakeKernel();
  private Path root;
  private StateDirectory state;
  private FakeMachine machine;
  private Path staging;
  private HostpathStaging stages;
  private HostpathPublishing publishes;
  private HostpathNodeExpansion expands;
  private VolumeUses uses;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    root = directory.toRealPath();
    machine = new FakeMachine(kernel, Files.createDirectory(root.resolve("dev")), new LocalDisk());
    staging = Files.createDirectory(root.resolve("globalmount"));
    start();
  }

  private void start() throws IOException {
    state =
        StateDirectory.open(
            root.resolve("state"), new LocalDisk(), kernel, Steps.NONE, TestState.clock());
    Backings backings = machine.backings(state.volumes());
    Promises promises = new Promises(Map.of(), state.volumes());
    Stagings stagings = Stagings.open(root.resolve("run"));
    NodeVolumes volumes = new NodeVolumes(state.volumes(), backings, kernel, kernel);
    Detachment detachment = new Detachment(kernel);
    StagedVolumes staged = new StagedVolumes(volumes, stagings, detachment);
    uses = new VolumeUses(state.volumes(), backings, kernel, stagings::of);
    stages = new HostpathStaging(volumes, staged, Policies.UNATTACHED);
    publishes =
        new HostpathPublishing(
            volumes,
            staged,
            Publications.open(root.resolve("run")),
            kernel,
            detachment,
            new InlinePublishing(
                new InlineVolumes(
                    state.volumes(), new VolumeData(backings, SIZES), SIZES, promises, uses),
                volumes,
                staged,
                kernel,
                detachment),
            Policies.UNATTACHED);
    expands =
        new HostpathNodeExpansion(
            volumes,
            stagings,
            new VolumeGrowth(state.volumes(), backings, SIZES, promises),
            100 * SIZE);
  }

  @AfterEach
  void close() throws IOException {
    state.close();
  }

  private Record image(ImageFileSystem.Builder fileSystem) {
    return volume(
        Record.newBuilder().setBacking(Backing.IMAGE).setFileSystem(fileSystem.setType("ext4")));
  }

  private Record formatted() {
    return image(ImageFileSystem.newBuilder().setFormatted(true).setGrownToBytes(SIZE));
  }

  private Record block() {
    return volume(Record.newBuilder().setBacking(Backing.BLOCK));
  }

  private Record volume(Record.Builder draft) {
    return state
        .volumes()
        .create(
            draft
                .setName("volume " + state.volumes().size())
                .setSizeBytes(SIZE)
                .setVolume(VolumeDetails.getDefaultInstance())
                .build(),
            data -> Files.write(data, new byte[(int) SIZE]));
  }

  private Path data(Record volume) {
    return state.volumes().data(volume);
  }

  private ImageFileSystem fileSystem(Record volume) {
    return state.volumes().byId(volume.getId()).orElseThrow().getFileSystem();
  }

  private void stage(Record volume, VolumeCapability capability) {
    stages.nodeStageVolume(
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId(volume.getId())
            .setStagingTargetPath(staging.toString())
            .setVolumeCapability(capability)
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

  private Path publish(Record volume, VolumeCapability capability, boolean readOnly) {
    Path target = root.resolve(readOnly ? "read-only" : "writable");
    publishes.nodePublishVolume(
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getId())
            .setStagingTargetPath(staging.toString())
            .setTargetPath(target.toString())
            .setVolumeCapability(capability)
            .setReadonly(readOnly)
            .build(),
        CALL);
    return target;
  }

  private void unpublish(Record volume, Path target) {
    publishes.nodeUnpublishVolume(
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getId())
            .setTargetPath(target.toString())
            .build(),
        CALL);
  }

  private long expand(Record volume, Path path, long bytes) {
    return expands
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(volume.getId())
                .setVolumePath(path.toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build(),
            CALL)
        .getCapacityBytes();
  }

  @Test
  void anImageIsCheckedAndMountedAndAgainChangesNothing() {
    Record volume = formatted();
    stage(volume, EXT4);
    stage(volume, EXT4);

    assertThat(machine.filesystems().asked()).containsExactly("check");
    assertThat(kernel.targets()).containsExactly(staging);
    assertThat(kernel.mountOptions()).containsExactly("errors=remount-ro");
    assertThat(machine.loops().files()).containsExactly(data(volume));
  }

  @Test
  @DisplayName("a file system is made once: record and probe have to agree (K1)")
  void anImageIsFormattedOnlyIfTheRecordAndTheProbeSaySo() {
    Record fromBlock = image(ImageFileSystem.newBuilder().setForeignUuid(true));
    machine.filesystems().find(new ProbeResult.Blank());
    stage(fromBlock, EXT4);
    assertThat(machine.filesystems().asked()).containsExactly("make ext4");
    assertThat(fileSystem(fromBlock))
        .isEqualTo(
            ImageFileSystem.newBuilder()
                .setType("ext4")
                .setFormatted(true)
                .setGrownToBytes(SIZE)
                .build());
    unstage(fromBlock.getId());

    // Blank now, as after a loss: never formatted a second time.
    assertFails(Status.Code.FAILED_PRECONDITION, () -> stage(fromBlock, EXT4));
    machine.filesystems().find(new ProbeResult.Unknown("it holds a partition table"));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> stage(formatted(), EXT4));
    machine.filesystems().find(new ProbeResult.Found("xfs", "x"));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> stage(formatted(), EXT4));
    assertThat(machine.filesystems().asked()).isEmpty();
    assertThat(machine.loops().files()).isEmpty();
    assertThat(kernel.targets()).isEmpty();
  }

  @Test
  @DisplayName("a copy gets an UUID and its size before it is mounted, once (B133)")
  void aCopyIsMadeItsOwn() {
    Record copy =
        image(
            ImageFileSystem.newBuilder()
                .setFormatted(true)
                .setForeignUuid(true)
                .setGrownToBytes(SIZE / 2));
    stage(copy, EXT4);
    assertThat(machine.filesystems().asked()).containsExactly("check", "renew uuid", "grow");
    unstage(copy.getId());
    stage(copy, EXT4);
    assertThat(machine.filesystems().asked()).containsExactly("check");
  }

  @Test
  void aStageThatFailsLeavesNoDevice() {
    Record volume = formatted();
    kernel.failMounts(true);

    assertFails(Status.Code.INTERNAL, () -> stage(volume, EXT4));

    assertThat(machine.loops().files()).isEmpty();
  }

  @Test
  @DisplayName("a staging that fails after its mount leaves no mount that was not there (K8)")
  void aStageThatFailsAfterItsMountTakesTheMountBack() {
    VolumeCapability xfs = Requests.fileSystem("xfs", Mode.SINGLE_NODE_MULTI_WRITER);
    machine.filesystems().find(new ProbeResult.Found("xfs", "x"));
    Record volume =
        volume(
            Record.newBuilder()
                .setBacking(Backing.IMAGE)
                .setFileSystem(
                    ImageFileSystem.newBuilder()
                        .setType("xfs")
                        .setFormatted(true)
                        .setGrownToBytes(SIZE / 2)));
    machine.filesystems().growMounted(false);

    assertFails(Status.Code.INTERNAL, () -> stage(volume, xfs));
    assertThat(kernel.targets()).isEmpty();
    assertThat(machine.loops().files()).isEmpty();

    machine.loops().keepOpen(true);
    assertThat(assertFails(Status.Code.UNAVAILABLE, () -> stage(volume, xfs)))
        .hasMessageContaining("still there");
    machine.loops().keepOpen(false);

    machine.filesystems().growMounted(true);
    stage(volume, xfs);
    machine.filesystems().growMounted(false);
    Record larger =
        state
            .volumes()
            .update(volume.getId(), now -> now.toBuilder().setSizeBytes(2 * SIZE).build());
    assertFails(Status.Code.INTERNAL, () -> stage(larger, xfs));
    assertThat(kernel.targets()).as("what was mounted before").containsExactly(staging);
  }

  @Test
  void anImageThatWasCutIsNotMounted() throws IOException {
    Record volume = formatted();
    Files.write(data(volume), new byte[(int) SIZE - 1]);

    assertFails(Status.Code.FAILED_PRECONDITION, () -> stage(volume, EXT4));
    Files.delete(data(volume));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> stage(volume, EXT4));
    assertThat(machine.loops().files()).isEmpty();
  }

  @Test
  @DisplayName("a publish for writing is refused where the staging takes no writes (B117)")
  void aReadOnlyStagingIsNotPublishedForWriting() {
    Record volume = formatted();
    stage(volume, Requests.fileSystem("ext4", Mode.MULTI_NODE_READER_ONLY));

    assertFails(Status.Code.FAILED_PRECONDITION, () -> publish(volume, EXT4, false));
    assertThat(root.resolve("writable")).doesNotExist();
    assertThat(kernel.isReadOnly(publish(volume, EXT4, true))).isTrue();
  }

  @Test
  void anImageGrowsInPlaceOrWhenItIsStagedNext() {
    Record volume = formatted();
    stage(volume, EXT4);
    machine.filesystems().growMounted(false);

    assertFails(Status.Code.FAILED_PRECONDITION, () -> expand(volume, staging, 2 * SIZE));
    assertThat(machine.loops().sizeOf(data(volume))).isEqualTo(2 * SIZE);
    machine.filesystems().growMounted(true);
    assertThat(expand(volume, staging, 3 * SIZE)).isEqualTo(3 * SIZE);
    assertThat(expand(volume, staging, 1)).isEqualTo(3 * SIZE);
    assertThat(machine.filesystems().asked()).containsExactly("check", "grow mounted");

    machine.filesystems().growMounted(false);
    assertFails(Status.Code.FAILED_PRECONDITION, () -> expand(volume, staging, 4 * SIZE));
    unstage(volume.getId());
    stage(volume, EXT4);
    assertThat(machine.filesystems().asked()).containsExactly("check", "grow");
    assertThat(expand(volume, staging, 1)).isEqualTo(4 * SIZE);
    assertFails(Status.Code.NOT_FOUND, () -> expand(volume, root.resolve("elsewhere"), 1));
    assertFails(Status.Code.OUT_OF_RANGE, () -> expand(volume, staging, 101 * SIZE));
  }

  @Test
  @DisplayName("no file-system tool touches a raw block volume (B104, B106)")
  void aBlockVolumeIsOpaque() {
    Record volume = block();
    stage(volume, BLOCK);
    assertThat(kernel.targets()).isEmpty();
    Path target = publish(volume, BLOCK, false);
    assertThat(expand(volume, target, 2 * SIZE)).isEqualTo(2 * SIZE);
    assertThat(expand(volume, staging, 2 * SIZE)).isEqualTo(2 * SIZE);

    assertThat(machine.loops().sizeOf(data(volume))).isEqualTo(2 * SIZE);
    assertThat(machine.filesystems().asked()).isEmpty();
  }

  @Test
  @DisplayName("a raw block volume is published for reading or for writing (B115)")
  void theDeviceItselfIsReadOnly() {
    Record volume = block();
    stage(volume, BLOCK);
    Path readOnly = publish(volume, BLOCK, true);

    assertThat(machine.loops().isReadOnly(data(volume))).isTrue();
    assertFails(Status.Code.FAILED_PRECONDITION, () -> publish(volume, BLOCK, false));
    unpublish(volume, readOnly);
    publish(volume, BLOCK, false);
    assertThat(machine.loops().isReadOnly(data(volume))).isFalse();
  }

  @Test
  @DisplayName("no device is larger than its record says, also one that is made anew (K10)")
  void aDeviceThatIsMadeAnewHasTheSizeOfItsRecord() throws IOException {
    Record volume = block();
    stage(volume, BLOCK);
    // A growth whose process died before the record was written.
    Files.write(data(volume), new byte[(int) SIZE], StandardOpenOption.APPEND);

    publish(volume, BLOCK, true);

    assertThat(machine.loops().sizeOf(data(volume))).isEqualTo(SIZE);
  }

  @Test
  @DisplayName("a device is not bound over somebody's file (K1)")
  void aTargetFileWithContentsIsRefused() throws IOException {
    Record volume = block();
    stage(volume, BLOCK);
    Path precious = Files.writeString(root.resolve("writable"), "precious");

    assertFails(Status.Code.FAILED_PRECONDITION, () -> publish(volume, BLOCK, false));
    assertThat(precious).hasContent("precious");
    assertThat(kernel.targets()).isEmpty();
  }

  @Test
  @DisplayName("after a reboot a publish stages again by itself (B047, B049)")
  void aPublishAfterARebootStagesAgain() throws IOException {
    Record image = formatted();
    stage(image, EXT4);
    machine.loops().loseAll();
    kernel.lose(staging);
    publish(image, EXT4, false);
    assertThat(kernel.targets()).hasSize(2);
    unpublish(image, root.resolve("writable"));
    unstage(image.getId());

    Record volume = block();
    stage(volume, BLOCK);
    machine.loops().loseAll();
    try (var entries = Files.list(root.resolve("run/staged"))) {
      for (Path file : entries.toList()) {
        Files.delete(file);
      }
    }
    state.close();
    start();
    publish(volume, BLOCK, false);
    assertThat(machine.loops().files()).containsExactly(data(volume));
  }

  @Test
  @DisplayName("a staging path belongs to one volume, also if it shows nothing (B033)")
  void anotherVolumeAtABlockVolumesStagingPathIsRefused() throws IOException {
    Record volume = block();
    Record other = block();
    Record image = formatted();
    stage(volume, BLOCK);
    state.close();
    start();

    assertFails(Status.Code.ALREADY_EXISTS, () -> stage(other, BLOCK));
    assertFails(Status.Code.ALREADY_EXISTS, () -> stage(image, EXT4));
    assertFails(Status.Code.FAILED_PRECONDITION, () -> publish(other, BLOCK, false));
    unstage(other.getId());
    assertThat(machine.loops().files()).containsExactly(data(volume));
    unstage(volume.getId());
    stage(image, EXT4);
  }

  @Test
  @DisplayName("what is left of another volume hides no raw block volume that is staged (B033)")
  void anEntryOfAVolumeThatIsNotThereAnyMoreIsReplaced() {
    stage(formatted(), EXT4);
    kernel.lose(staging);
    Record volume = block();
    stage(volume, BLOCK);

    assertFails(Status.Code.FAILED_PRECONDITION, () -> uses.requireNone(volume));
    unstage(volume.getId());
    uses.requireNone(volume);
  }

  @Test
  @DisplayName("unstage refuses while the volume is mounted elsewhere, and names it (B044, B123)")
  void aVolumeThatIsPublishedIsNotUnstaged() {
    for (VolumeCapability capability : new VolumeCapability[] {EXT4, BLOCK}) {
      Record volume = capability.hasBlock() ? block() : formatted();
      stage(volume, capability);
      Path target = publish(volume, capability, false);

      assertThat(assertFails(Status.Code.FAILED_PRECONDITION, () -> unstage(volume.getId())))
          .hasMessageContaining(target.toString());
      assertFails(Status.Code.FAILED_PRECONDITION, () -> uses.requireNone(volume));
      unpublish(volume, target);
      assertFails(Status.Code.FAILED_PRECONDITION, () -> uses.requireNone(volume));
      unstage(volume.getId());
      unstage(volume.getId());
      uses.requireNone(volume);
      assertThat(machine.loops().files()).isEmpty();
    }
  }

  @Test
  @DisplayName("OK means released; an open device is an error that names its user (B043)")
  void anOpenDeviceKeepsTheVolumeStaged() {
    Record volume = block();
    stage(volume, BLOCK);
    machine.loops().keepOpen(true);

    assertThat(assertFails(Status.Code.FAILED_PRECONDITION, () -> unstage(volume.getId())))
        .hasMessageContaining("4711");
    assertFails(Status.Code.FAILED_PRECONDITION, () -> uses.requireNone(volume));
    machine.loops().keepOpen(false);
    unstage(volume.getId());
    assertThat(machine.loops().files()).isEmpty();
  }

  @Test
  @DisplayName("an unstage with the record lost takes mount and device away (B038)")
  void whatIsStagedOfALostRecordIsTakenAway() throws IOException {
    for (VolumeCapability capability : new VolumeCapability[] {EXT4, BLOCK}) {
      Record volume = capability.hasBlock() ? block() : formatted();
      stage(volume, capability);
      Path target = publish(volume, capability, false);
      Files.delete(state.volumes().folder(volume).resolve("record"));
      state.close();
      start();

      unpublish(volume, target);
      unstage(volume.getId());

      assertThat(kernel.targets()).isEmpty();
      assertThat(machine.loops().files()).isEmpty();
      assertThat(data(volume)).isRegularFile();
    }
  }

  @Test
  @DisplayName("what a crash left attached does not keep a volume from being deleted (K7)")
  void aDeviceThatNobodyUsesIsReleasedBeforeADeletion() {
    Record volume = formatted();
    machine.loops().attach(data(volume), false);

    uses.requireNone(volume);
    uses.release(volume);

    assertThat(machine.loops().files()).isEmpty();
  }
}
