package dev.csijava.examples.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is mounted is neither deleted nor, if it is another's, unmounted. Needs root. */
class FolderMountsIT {
  /** A call that nobody made. */
  private static final CallContext CALL =
      new CallContext() {
        @Override
        public String id() {
          return "test";
        }

        @Override
        public String rpc() {
          return "Test";
        }

        @Override
        public Optional<Duration> timeLeft() {
          return Optional.empty();
        }

        @Override
        public boolean isCancelled() {
          return false;
        }

        @Override
        public String peer() {
          return "";
        }
      };

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
  void aVolumeThatAPodHasIsNotDeleted() throws IOException {
    FolderStore store = FolderStore.open(root.resolve("volumes"));
    FolderVolumes volumes = new FolderVolumes(store);
    FolderNode node = new FolderNode(store);
    Folder folder = store.create(CreateVolumeRequest.newBuilder().setName("one").build());
    DeleteVolumeRequest delete = DeleteVolumeRequest.newBuilder().setVolumeId(folder.id()).build();
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder();
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    node.nodePublishVolume(
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(folder.id())
            .setTargetPath(target.toString())
            .setVolumeCapability(capability)
            .build(),
        CALL);
    Files.writeString(target.resolve("memo"), "remember");

    CsiException refused =
        catchThrowableOfType(CsiException.class, () -> volumes.deleteVolume(delete, CALL));

    assertThat(refused).extracting("code").hasToString("FAILED_PRECONDITION");
    assertThat(target.resolve("memo")).hasContent("remember");
    node.nodeUnpublishVolume(unpublish(folder.id()), CALL);
    assertThat(target).doesNotExist();
    volumes.deleteVolume(delete, CALL);
    assertThat(root.resolve("volumes")).isEmptyDirectory();
  }

  @Test
  void whatAnotherMountedAtTheTargetStays() throws IOException {
    FolderStore store = FolderStore.open(root.resolve("volumes"));
    Folder folder = store.create(CreateVolumeRequest.newBuilder().setName("one").build());
    Path another = Files.createDirectory(root.resolve("another"));
    Files.createDirectory(target);
    mounter.bind(another, target, MountOptions.NONE);

    for (String id : List.of(folder.id(), "unknown")) {
      CsiException refused =
          catchThrowableOfType(
              CsiException.class,
              () -> new FolderNode(store).nodeUnpublishVolume(unpublish(id), CALL));
      assertThat(refused).extracting("code").hasToString("FAILED_PRECONDITION");
    }

    assertThat(mounter.isMountOf(another, target)).isTrue();
  }

  @Test
  void whatIsMountedInAVolumeIsNotDeletedWithIt() throws IOException {
    FolderStore store = FolderStore.open(root.resolve("volumes"));
    Folder folder = store.create(CreateVolumeRequest.newBuilder().setName("one").build());
    Path precious = Files.createDirectory(root.resolve("precious"));
    Files.writeString(precious.resolve("file"), "keep");
    Path point = Files.createDirectories(folder.data().resolve("deep/point"));
    mounter.bind(precious, point, MountOptions.NONE);

    store.delete(folder);
    FolderStore.open(root.resolve("volumes"));

    assertThat(precious.resolve("file")).hasContent("keep");
    assertThat(store.find(folder.id())).isEmpty();
  }

  private NodeUnpublishVolumeRequest unpublish(String id) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(id)
        .setTargetPath(target.toString())
        .build();
  }
}
