package dev.csijava.examples.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver promises: files of the pod that change under it, and vanish with it. */
class PodInfoIT {
  private static final String ID = "csi-1";

  @TempDir Path directory = Path.of("set by JUnit");
  private final Mounter mounter = Mounter.system();
  private Path root = directory;
  private Path target = directory;

  @BeforeEach
  void makePlaces() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    root = directory.toRealPath();
    target = root.resolve("mount");
  }

  @AfterEach
  void unmount() throws IOException {
    for (Mount left : MountTable.read().below(root)) {
      mounter.unmount(left.target());
    }
  }

  @Test
  void thePodReadsWhoItIsAndCanWriteNothing() throws IOException {
    publish(ID, target, request());

    assertThat(target.resolve("name")).hasContent("web-0");
    assertThat(target.resolve("service-account")).hasContent("cashier");
    assertThatThrownBy(() -> Files.createFile(target.resolve("mine")))
        .hasMessageContaining("Read-only file system");
    assertThat(MountTable.read().at(target).orElseThrow().options())
        .contains("ro", "nosuid", "nodev", "noexec");
  }

  @Test
  void theFilesChangeWhenTheVolumeIsPublishedAgainAndTheMountStays() throws IOException {
    publish(ID, target, token("first"));
    long mount = MountTable.read().at(target).orElseThrow().id();
    assertThat(target.resolve("token")).hasContent("first");

    publish(ID, target, token("second"));

    assertThat(target.resolve("token")).hasContent("second");
    assertThat(MountTable.read().stackAt(target))
        .singleElement()
        .satisfies(same -> assertThat(same.id()).isEqualTo(mount));

    publish(ID, target, request());

    assertThat(target.resolve("token")).doesNotExist();
  }

  @Test
  void whereThePodIsGoneNothingIsLeft() throws IOException {
    publish(ID, target, token("first"));

    unpublish(ID, target);
    unpublish(ID, target);

    assertThat(target).doesNotExist();
    assertThat(root.resolve("run")).isEmptyDirectory();
    assertThat(MountTable.read().below(root)).isEmpty();
  }

  @Test
  void thePodThatVanishedWhileTheDriverWasAwayIsSweptAndTheOtherStays() throws IOException {
    Path other = root.resolve("other");
    publish(ID, target, request());
    publish("csi-2", other, request());
    mounter.unmount(target);

    open(); // as the next process does

    assertThat(root.resolve("run")).isDirectoryContaining(path -> true);
    try (var folders = Files.list(root.resolve("run"))) {
      assertThat(folders).hasSize(1);
    }
    assertThat(other.resolve("name")).hasContent("web-0");
  }

  @Test
  void theMountOfAnotherVolumeIsNeitherTakenNorTakenAway() throws IOException {
    publish(ID, target, request());

    assertThat(codeOf(() -> publish("csi-2", target, request()))).isEqualTo(Code.ALREADY_EXISTS);
    assertThat(codeOf(() -> unpublish("csi-2", target))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(codeOf(() -> publish(ID, root.resolve("other"), request())))
        .isEqualTo(Code.FAILED_PRECONDITION);

    assertThat(target.resolve("name")).hasContent("web-0");
    try (var folders = Files.list(root.resolve("run"))) {
      assertThat(folders).hasSize(1);
    }
  }

  @Test
  void whoWantsToWriteIsRefused() {
    assertThat(codeOf(() -> publish(ID, target, request().setReadonly(false))))
        .isEqualTo(Code.INVALID_ARGUMENT);

    assertThat(target).doesNotExist();
  }

  private VolumeFolders open() throws IOException {
    return VolumeFolders.open(root.resolve("run"), mounter);
  }

  private void publish(String id, Path where, NodePublishVolumeRequest.Builder request)
      throws IOException {
    new PodInfoPublishing(open(), mounter)
        .nodePublishVolume(
            request.setVolumeId(id).setTargetPath(where.toString()).build(), Call.NONE);
  }

  private void unpublish(String id, Path where) throws IOException {
    new PodInfoPublishing(open(), mounter)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(where.toString())
                .build(),
            Call.NONE);
  }

  private static NodePublishVolumeRequest.Builder request() {
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder();
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    return PodFilesTest.request().setVolumeCapability(capability).setReadonly(true);
  }

  private static NodePublishVolumeRequest.Builder token(String token) {
    return request()
        .putVolumeContext("audience", "vault")
        .putVolumeContext(
            KubernetesKeys.SERVICE_ACCOUNT_TOKENS, "{\"vault\":{\"token\":\"" + token + "\"}}");
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Code codeOf(Work work) {
    CsiException failure = catchThrowableOfType(CsiException.class, work::run);
    return failure.code();
  }
}
