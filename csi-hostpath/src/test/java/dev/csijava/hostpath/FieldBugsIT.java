package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.StillTree;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Public bug reports replayed with real mounts; each test carries the report's id. */
class FieldBugsIT {
  private static final VolumeCapability SHARED = Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);
  private static final String TEXT = "what the customer wrote";

  private ServedDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    driver = ServedDriver.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private String published(String name, String pod) throws IOException {
    String id = driver.create(Requests.create(name)).getVolumeId();
    driver.stage(id, SHARED);
    Files.writeString(driver.publish(id, pod, SHARED, false).resolve("file"), TEXT);
    return id;
  }

  /** Bookkeeping that fails must not lead to a clean-up that reaches into a mounted volume. */
  @Test
  void b001AFailureOfTheDriversOwnFilesLeavesTheDataAlone() throws IOException {
    String id = published("one", "pod-1");
    Path run = driver.root().resolve("run/publications");
    Path aside = Files.move(run, driver.root().resolve("aside"));
    Files.writeString(run, "no directory any more");

    Throwable failure = catchThrowable(() -> driver.publish(id, "pod-2", SHARED, false));
    assertThat(failure).isNotNull();
    assertThat(driver.data(id).resolve("file")).hasContent(TEXT);
    assertThat(driver.target("pod-1").resolve("file")).hasContent(TEXT);

    Files.delete(run);
    Files.move(aside, run);
    driver.unpublish(id, "pod-1");
    driver.unstage(id);
    assertThat(driver.data(id).resolve("file")).hasContent(TEXT);
  }

  /** A volume that is published inside another one survives the end of the outer one. */
  @Test
  void b004UnpublishingTheOuterOfTwoNestedTargetsTouchesNoFileOfTheInner() throws IOException {
    String outer = published("outer", "pod-1");
    String inner = driver.create(Requests.create("inner")).getVolumeId();
    driver.stage(inner, SHARED);
    Path nested = driver.target("pod-1").resolve("nested");
    NodePublishVolumeRequest.Builder request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(inner)
            .setStagingTargetPath(driver.staging(inner).toString())
            .setTargetPath(nested.toString())
            .setVolumeCapability(SHARED);
    var _ = driver.client().node().nodePublishVolume(request.build());
    Files.writeString(nested.resolve("file"), TEXT);

    Throwable busy = catchThrowable(() -> driver.unpublish(outer, "pod-1"));
    assertThat(driver.data(inner).resolve("file")).hasContent(TEXT);
    assertThat(driver.data(outer).resolve("file")).hasContent(TEXT);
    assertThat(busy).as("the outer mount is in use").isNotNull();

    var _ =
        driver
            .client()
            .node()
            .nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(inner)
                    .setTargetPath(nested.toString())
                    .build());
    driver.unpublish(outer, "pod-1");
    assertThat(driver.data(inner).resolve("file")).hasContent(TEXT);
    assertThat(driver.data(outer).resolve("file")).hasContent(TEXT);
  }

  /** Pods of one volume come and go; the others see the same directory all the time. */
  @Test
  void b013OtherPodsKeepSeeingTheVolumeWhileOneComesAndGoes() throws IOException {
    String id = published("one", "pod-1");
    Object inode = Files.getAttribute(driver.target("pod-1"), "unix:ino");
    for (int pod = 2; pod <= 5; pod++) {
      driver.publish(id, "pod-" + pod, SHARED, false);
    }
    Random random = new Random(13);
    for (int round = 0; round < 60; round++) {
      String pod = "pod-" + (2 + random.nextInt(4));
      if (random.nextBoolean()) {
        driver.publish(id, pod, SHARED, false);
      } else {
        driver.unpublish(id, pod);
      }
      assertThat(Files.getAttribute(driver.target("pod-1"), "unix:ino")).isEqualTo(inode);
      assertThat(driver.target("pod-1").resolve("file")).hasContent(TEXT);
    }
  }

  /** No id of a request is ever a path: everything outside the state directory stays as it is. */
  @Test
  void b015B017B018HostileIdsTouchNothing() throws IOException {
    published("one", "pod-1");
    Path victim = Files.createDirectory(driver.root().resolve("victim"));
    Files.writeString(victim.resolve("file"), TEXT);
    Files.writeString(driver.root().resolve("victim.snap"), TEXT);
    Set<String> before = everything();
    for (String id :
        List.of(
            "../../victim",
            "../victim",
            victim.toString(),
            "/" + victim,
            "..%2fvictim",
            "a/../../victim",
            "./.",
            "..",
            ".",
            "/",
            "\u2025/victim",
            "C:\\victim",
            "vol-1\u0000",
            "~root")) {
      quietly(
          () -> {
            DeleteVolumeRequest request = DeleteVolumeRequest.newBuilder().setVolumeId(id).build();
            var _ = driver.client().controller().deleteVolume(request);
          });
      quietly(
          () -> {
            DeleteSnapshotRequest request =
                DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build();
            var _ = driver.client().controller().deleteSnapshot(request);
          });
      Path target = driver.target("hostile");
      quietly(
          () -> {
            NodePublishVolumeRequest request =
                NodePublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setTargetPath(target.toString())
                    .setVolumeCapability(SHARED)
                    .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                    .build();
            var _ = driver.client().node().nodePublishVolume(request);
          });
      quietly(
          () -> {
            NodeUnpublishVolumeRequest request =
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setTargetPath(target.toString())
                    .build();
            var _ = driver.client().node().nodeUnpublishVolume(request);
          });
      Files.delete(target.getParent());
    }
    assertThat(everything()).isEqualTo(before);
    assertThat(victim.resolve("file")).hasContent(TEXT);
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getDescription()).as("a sentence").isNotBlank();
    }
  }

  /** All paths but those below the state and the run directory, which are the driver's own. */
  private Set<String> everything() throws IOException {
    Set<String> paths = new TreeSet<>();
    Path root = driver.root();
    StillTree.of(root, root.resolve("state/trash")).stream()
        .filter(path -> !path.startsWith(root.resolve("run")))
        .forEach(path -> paths.add(path.toString()));
    return paths;
  }

  /** A program that must live on would die with the driver's container. */
  @Test
  void b053NoProcessServesAMount() throws IOException {
    published("one", "pod-1");
    String image = driver.create(Requests.image("two", "ext4", 8 << 20)).getVolumeId();
    VolumeCapability ext4 = Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
    driver.stage(image, ext4);
    driver.publish(image, "pod-2", ext4, false);
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void b070AStartMountsNothing() throws IOException {
    published("one", "pod-1");
    List<String> before = mounts();
    for (int i = 0; i < 20; i++) {
      driver.restart();
    }
    assertThat(mounts()).isEqualTo(before);
    assertThat(driver.target("pod-1").resolve("file")).hasContent(TEXT);
  }

  private List<String> mounts() throws IOException {
    return MountTable.read().below(driver.root()).stream()
        .map(mount -> mount.id() + " " + mount.target())
        .toList();
  }
}
