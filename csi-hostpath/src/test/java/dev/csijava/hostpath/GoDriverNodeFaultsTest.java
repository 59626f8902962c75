package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documented faults of the Go driver's node and of its state, each shown not to be ours. */
class GoDriverNodeFaultsTest {
  private DriverOnFakes driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  private Path target(String name) {
    return driver.root().resolve(name);
  }

  private void unpublish(String volumeId, Path target) {
    var _ =
        driver
            .node()
            .nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(volumeId)
                    .setTargetPath(target.toString())
                    .build());
  }

  private void unstage(String volumeId) throws IOException {
    var _ =
        driver
            .node()
            .nodeUnstageVolume(
                NodeUnstageVolumeRequest.newBuilder()
                    .setVolumeId(volumeId)
                    .setStagingTargetPath(driver.staging().toString())
                    .build());
  }

  private String published(Path target) throws IOException {
    String id = driver.create("one").getVolumeId();
    var staged = driver.node().nodeStageVolume(driver.stage(id).build());
    var published = driver.node().nodePublishVolume(driver.publish(id, target).build());
    assertThat(staged).isNotNull();
    assertThat(published).isNotNull();
    return id;
  }

  @Test
  @DisplayName("NodeStage only keeps books and mounts nothing")
  void aStagedVolumeIsThere() throws IOException {
    String id = driver.create("one").getVolumeId();
    assertThat(driver.node().nodeStageVolume(driver.stage(id).build())).isNotNull();

    assertThat(driver.kernel().isMountOf(driver.onlyData(), driver.staging())).isTrue();
  }

  @Test
  @DisplayName("what is not attached fails to be staged with INTERNAL")
  void whatIsNotAttachedIsNotStagedAndWhatIsAttachedForReadersIsReadOnly() throws IOException {
    driver.restart(s -> s.withAttach(new AttachSettings(true, 0, 0)));
    String id = driver.create("one").getVolumeId();
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () -> driver.node().nodeStageVolume(driver.stage(id).build()));
    var _ =
        driver
            .controller()
            .controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setNodeId("node-1")
                    .setReadonly(true)
                    .setVolumeCapability(DriverOnFakes.WRITER)
                    .build());

    assertThat(driver.node().nodeStageVolume(driver.stage(id).build())).isNotNull();

    assertThat(driver.kernel().isReadOnly(driver.staging())).as("CTRL-PUB-015").isTrue();
  }

  @Test
  @DisplayName("mount_flags are ignored, and readonly is where it is already mounted")
  void whatIsMountedInAnotherWayIsRefused() throws IOException {
    Path target = target("target");
    String id = published(target);

    assertFails(
        Status.Code.ALREADY_EXISTS,
        () ->
            driver.node().nodePublishVolume(driver.publish(id, target).setReadonly(true).build()));
    assertFails(
        Status.Code.FAILED_PRECONDITION,
        () ->
            driver
                .node()
                .nodePublishVolume(
                    driver
                        .publish(id, target("other"))
                        .setVolumeCapability(
                            Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER, "no-such-flag"))
                        .build()));
  }

  @Test
  @DisplayName("a target that shows another volume is OK")
  void aTargetThatShowsSomethingElseIsRefused() throws IOException {
    String id = driver.create("one").getVolumeId();
    assertThat(driver.node().nodeStageVolume(driver.stage(id).build())).isNotNull();
    Path target = Files.createDirectory(target("target"));
    driver.kernel().mountForeign(target);

    assertFails(
        Status.Code.ALREADY_EXISTS,
        () -> driver.node().nodePublishVolume(driver.publish(id, target).build()));
  }

  @Test
  @DisplayName("after a reboot a target is kept twice, and unstaging fails for ever")
  void aRebootIsSurvivedByPublishUnpublishAndUnstage() throws IOException {
    Path target = target("target");
    String id = published(target);
    driver.kernel().lose(target);
    driver.kernel().lose(driver.staging());
    driver.restart();

    assertThat(driver.node().nodePublishVolume(driver.publish(id, target).build())).isNotNull();
    assertThat(driver.kernel().targets()).containsExactlyInAnyOrder(target, driver.staging());

    unpublish(id, target);
    unstage(id);
    assertThat(driver.kernel().targets()).isEmpty();
  }

  @Test
  @DisplayName("a publish after which the process died is never known, and unpublish leaks it")
  void whatIsMountedIsUnmountedWhateverIsRemembered() throws IOException {
    Path target = target("target");
    String id = published(target);
    try (var entries = Files.list(driver.root().resolve("run/publications"))) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }
    driver.restart();

    unpublish(id, target);

    assertThat(driver.kernel().targets()).containsExactly(driver.staging());
    assertThat(target).doesNotExist();
  }

  @Test
  @DisplayName("unpublish and unstage of an unknown volume give NOT_FOUND")
  void anUnknownVolumeIsNowhere() throws IOException {
    unpublish("vol-none", target("target"));
    unstage("vol-none");
  }

  @Test
  @DisplayName("a volume is abnormal wherever it is not below /var/lib/kubelet/pods")
  void aVolumeIsWellWhereverItIsPublished() throws IOException {
    String id = driver.create("one").getVolumeId();
    Path target = driver.root().resolve("elsewhere");
    assertThat(driver.node().nodeStageVolume(driver.stage(id).build())).isNotNull();
    assertThat(driver.node().nodePublishVolume(driver.publish(id, target).build())).isNotNull();

    var answer =
        driver
            .node()
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(id)
                    .setVolumePath(target.toString())
                    .build());

    assertThat(answer.hasVolumeCondition()).isTrue();
    assertThat(answer.getVolumeCondition().getAbnormal()).isFalse();
    assertThat(answer.getUsageCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("unpublish removes all that lies at the target")
  void filesAtATargetAreNotRemoved() throws IOException {
    String id = driver.create("one").getVolumeId();
    Path target = Files.createDirectory(target("target"));
    Path file = Files.writeString(target.resolve("file"), "mine");

    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> unpublish(id, target)))
        .isNotNull();

    assertThat(file).hasContent("mine");
  }

  @Test
  @DisplayName("the id of an inline volume is used as a path")
  void theIdOfAnInlineVolumeIsNoPath() throws IOException {
    String id = "../../escape";
    assertThat(driver.node().nodePublishVolume(driver.inline(id, "pod").build())).isNotNull();

    assertThat(driver.kernel().isMountOf(driver.onlyData(), driver.inlineTarget("pod"))).isTrue();
    assertThat(driver.root().resolve("escape")).doesNotExist();
    assertThat(driver.onlyData().toString()).matches(".*/volumes/vol-[0-9a-f]{32}/data");
    unpublish(id, driver.inlineTarget("pod"));
    assertThat(volumes()).isZero();
  }

  @Test
  @DisplayName("an inline volume has 100 MiB, whatever is asked for")
  void theSizeOfAnInlineVolumeIsWhatIsAskedFor() throws IOException {
    assertThat(
            driver
                .node()
                .nodePublishVolume(
                    driver.inline("csi-1", "pod").putVolumeContext("size", "3Mi").build()))
        .isNotNull();

    assertThat(
            driver
                .controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntries(0)
                .getVolume()
                .getCapacityBytes())
        .isEqualTo(3L << 20);
    NodePublishVolumeRequest odd =
        driver.inline("csi-2", "pod-2").putVolumeContext("size", "big").build();
    assertFails(Status.Code.INVALID_ARGUMENT, () -> driver.node().nodePublishVolume(odd));
    assertThat(volumes()).isOne();
  }

  @Test
  @DisplayName("the size of an inline volume is fiction")
  void theSizeOfAnInlineImageIsReal() throws IOException {
    NodePublishVolumeRequest request =
        driver
            .inline("csi-1", "pod")
            .putVolumeContext("size", "3Mi")
            .putVolumeContext("backing", "image")
            .build();
    assertThat(driver.node().nodePublishVolume(request)).isNotNull();
    assertThat(driver.node().nodePublishVolume(request)).as("a repeat").isNotNull();

    assertThat(Files.size(driver.onlyData())).isEqualTo(3L << 20);
    assertThat(driver.kernel().targets()).containsExactly(driver.inlineTarget("pod"));
    driver.loops().keepOpen(true);
    assertThat(
            assertFails(
                Status.Code.FAILED_PRECONDITION,
                () -> unpublish("csi-1", driver.inlineTarget("pod"))))
        .contains("still open");
    assertThat(volumes()).as("nothing is left behind that nobody would look for").isOne();
    driver.loops().keepOpen(false);
    unpublish("csi-1", driver.inlineTarget("pod"));
    assertThat(volumes()).isZero();
    assertThat(driver.loops().files()).isEmpty();
  }

  @Test
  @DisplayName("attributes that an inline volume can't have are ignored")
  void anInlineVolumeThatCantBeMadeIsRefused() throws IOException {
    for (var wrong :
        Map.of(
                driver.inline("csi-1", "pod").putVolumeContext("backing", "tape"),
                Status.Code.INVALID_ARGUMENT,
                driver
                    .inline("csi-1", "pod")
                    .putVolumeContext("backing", "image")
                    .setVolumeCapability(Requests.fileSystem("ntfs", Mode.SINGLE_NODE_WRITER)),
                Status.Code.FAILED_PRECONDITION,
                driver
                    .inline("csi-1", "pod")
                    .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_WRITER, "no-such-flag")),
                Status.Code.FAILED_PRECONDITION)
            .entrySet()) {
      NodePublishVolumeRequest request = wrong.getKey().build();
      assertFails(wrong.getValue(), () -> driver.node().nodePublishVolume(request));
      assertThat(volumes()).isZero();
      assertThat(driver.inlineTarget("pod")).doesNotExist();
    }
  }

  private int volumes() {
    return driver
        .controller()
        .listVolumes(ListVolumesRequest.getDefaultInstance())
        .getEntriesCount();
  }

  @Test
  @DisplayName("an inline volume leaks when its publish fails")
  void b067AnInlineVolumeWhosePublishFailsIsGone() throws IOException {
    NodePublishVolumeRequest request = driver.inline("csi-1", "pod").build();
    driver.kernel().failMounts(true);

    assertFails(Status.Code.INTERNAL, () -> driver.node().nodePublishVolume(request));

    assertThat(volumes()).isZero();
    assertThat(driver.inlineTarget("pod")).doesNotExist();
    driver.kernel().failMounts(false);
    assertThat(driver.node().nodePublishVolume(request)).isNotNull();
    assertThat(driver.node().nodePublishVolume(request)).as("a repeat").isNotNull();
    assertThat(volumes()).isOne();
  }

  @Test
  @DisplayName("an inline volume leaks when its pod vanishes during a reboot")
  void b065AnInlineVolumeOfAPodThatIsGoneIsSwept() throws IOException {
    for (String pod : new String[] {"gone", "stays", "mounted"}) {
      assertThat(driver.node().nodePublishVolume(driver.inline("csi-" + pod, pod).build()))
          .isNotNull();
    }
    // A reboot: the mounts are gone, and kubelet has cleaned up after one of the pods.
    driver.kernel().lose(driver.inlineTarget("gone"));
    driver.kernel().lose(driver.inlineTarget("stays"));
    delete(driver.inlineTarget("gone"), driver.pod("gone"));
    delete(driver.inlineTarget("mounted"), driver.pod("mounted"));

    driver.restart();

    assertThat(volumes()).as("no proof for what is mounted, or has a pod").isEqualTo(2);
    unpublish("csi-gone", driver.inlineTarget("gone"));
    assertThat(driver.node().nodePublishVolume(driver.inline("csi-stays", "stays").build()))
        .as("the same volume, not another one")
        .isNotNull();
    assertThat(volumes()).isEqualTo(2);
  }

  private static void delete(Path from, Path upTo) throws IOException {
    int levels = upTo.relativize(from).getNameCount();
    Path path = from;
    for (int i = 0; i <= levels; i++) {
      Files.delete(path);
      path = path.resolve("..").normalize();
    }
  }

  @Test
  @DisplayName("an inline volume may be asked for under the id of another volume")
  void theIdOfAnotherVolumeIsNoInlineVolume() throws IOException {
    String id = driver.create("one").getVolumeId();

    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> driver.node().nodePublishVolume(driver.inline(id, "pod").build()));

    assertThat(driver.onlyData()).isDirectory();
  }

  @Test
  @DisplayName("with --ephemeral everything of the controller is hidden")
  void withInlineVolumesOnlyTheControllerOffersNothing() throws IOException {
    driver.restart(TestSettings::inlineOnly);

    assertThat(driver.node().nodePublishVolume(driver.inline("csi-1", "pod").build())).isNotNull();
    assertFails(Status.Code.UNIMPLEMENTED, () -> driver.create("one"));
    unpublish("csi-1", driver.inlineTarget("pod"));
  }

  @Test
  @DisplayName("a state file that is cut short keeps the driver from starting")
  void aRecordThatIsCutShortHurtsOneVolumeOnly() throws IOException {
    driver.create("one");
    Path record = driver.onlyData().resolveSibling("record");
    Files.write(record, java.util.Arrays.copyOf(Files.readAllBytes(record), 20));

    driver.restart();

    assertThat(volumes()).isZero();
    driver.create("two");
    assertThat(volumes()).isOne();
    assertThat(record).exists();
  }
}
