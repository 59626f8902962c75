package dev.csijava.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver promises, with a FUSE file system in place of NFS. */
class NetworkVolumesIT {
  /** What bindfs reads as credentials: files of user 4711 are shown as those of "daemon". */
  private static final String CREDENTIALS = "daemon:s3cr3t:4711:4711::/:/bin/false\n";

  @TempDir Path directory = Path.of("set by JUnit");
  private final Mounter mounter = Mounter.system();
  private Path root = directory;
  private Path export = directory;
  private Path target = directory;
  private NetworkSettings settings = Bindfs.settings(directory, "", directory);

  @BeforeEach
  void makePlaces() throws IOException {
    Bindfs.assumeThere();
    root = directory.toRealPath();
    export = Files.createDirectory(root.resolve("export"));
    target = root.resolve("mount");
    settings = Bindfs.settings(export, "", root.resolve("run"));
  }

  @AfterEach
  void unmount() throws Exception {
    for (Mount left : MountTable.read().below(root)) {
      mounter.unmount(left.target());
    }
    for (ProcessHandle helper : helpers()) {
      helper.onExit().get(); // it ends by itself when nothing is mounted any more
    }
  }

  @Test
  void podsShareWhatTheyWriteAndTheControllerRemovesIt() throws IOException {
    String id = create();
    Path other = root.resolve("other");
    publish(id, target, Mode.MULTI_NODE_MULTI_WRITER, "");
    publish(id, other, Mode.MULTI_NODE_READER_ONLY, "");

    Files.writeString(target.resolve("greeting"), "hello");

    assertThat(other.resolve("greeting")).hasContent("hello");
    assertThatThrownBy(() -> Files.createFile(other.resolve("mine")))
        .hasMessageContaining("Read-only file system");
    assertThat(MountTable.read().at(target).orElseThrow().options())
        .contains("nosuid", "nodev", "noatime");

    unpublish(id, target);
    unpublish(id, other);
    delete(id);

    assertThat(target).doesNotExist();
    assertThat(export.resolve(id)).doesNotExist();
  }

  @Test
  void credentialsReachTheHelperByAFileAndAreSeenNowhereElse() throws IOException {
    settings = Bindfs.settings(export, "map-passwd", root.resolve("run"));
    String id = create();
    Path file = Files.createFile(export.resolve(id).resolve("data").resolve("file"));
    Files.setAttribute(file, "unix:uid", 4711);
    List<String> log = new ArrayList<>();
    Handler everything = capture(log);
    Logger logger = Logger.getLogger("dev.csijava");
    logger.setLevel(Level.ALL);
    logger.addHandler(everything);
    try {
      publish(id, target, Mode.SINGLE_NODE_WRITER, CREDENTIALS);
    } finally {
      logger.removeHandler(everything);
      logger.setLevel(null);
    }

    assertThat(Files.getOwner(target.resolve("file")).getName()).isEqualTo("daemon");
    assertThat(log).isNotEmpty().noneMatch(line -> line.contains("s3cr3t"));
    assertThat(helpers())
        .singleElement()
        .satisfies(
            helper -> {
              String arguments = Files.readString(Path.of("/proc", helper.pid() + "", "cmdline"));
              assertThat(arguments).contains("map-passwd=").doesNotContain("s3cr3t");
            });
    assertThat(root.resolve("run")).isEmptyDirectory();
  }

  @Test
  void aMountThatFailsLeavesNothingAndTellsNoSecret() throws IOException {
    settings = Bindfs.settings(export, "no-such-option", root.resolve("run"));
    String id = create();

    CsiException refused =
        catchThrowableOfType(
            CsiException.class, () -> publish(id, target, Mode.SINGLE_NODE_WRITER, CREDENTIALS));
    CsiException missing =
        catchThrowableOfType(
            CsiException.class, () -> publish(id, target, Mode.SINGLE_NODE_WRITER, ""));

    assertThat(refused.code()).isEqualTo(Code.INTERNAL);
    assertThat(refused.getMessage()).doesNotContain("s3cr3t");
    assertThat(missing.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(target).doesNotExist();
    assertThat(root.resolve("run")).isEmptyDirectory();
  }

  @Test
  void aVolumeThatTheServerDoesNotHaveIsNotPublished() {
    String unknown = "00000000-0000-0000-0000-000000000000";

    assertThatThrownBy(() -> publish(unknown, target, Mode.SINGLE_NODE_WRITER, ""))
        .isInstanceOf(CsiException.class);

    assertThat(target).doesNotExist();
  }

  /** Or no pod that runs could end after the server got another name. */
  @Test
  void aMountOutlivesAChangeOfTheSettings() throws IOException {
    String id = create();
    publish(id, target, Mode.SINGLE_NODE_WRITER, "");
    settings = Bindfs.settings(root.resolve("renamed"), "", root.resolve("run"));

    CsiException second =
        catchThrowableOfType(
            CsiException.class,
            () -> publish(id, root.resolve("second"), Mode.SINGLE_NODE_WRITER, ""));
    unpublish(id, target);

    assertThat(second.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(target).doesNotExist();
  }

  @Test
  void whatADeadHelperLeftIsUnpublishedAndPublishedAgain() throws Exception {
    String id = create();
    publish(id, target, Mode.SINGLE_NODE_WRITER, "");
    Files.writeString(target.resolve("greeting"), "hello");
    for (ProcessHandle helper : helpers()) {
      helper.destroyForcibly();
      helper.onExit().get();
    }
    assertThatThrownBy(() -> Files.size(target)).isInstanceOf(IOException.class);

    unpublish(id, target);
    publish(id, target, Mode.SINGLE_NODE_WRITER, "");

    assertThat(target.resolve("greeting")).hasContent("hello");
  }

  private String create() throws IOException {
    try (ExportStore store = new ExportStore(export)) {
      store.open();
      CreateVolumeRequest request =
          CreateVolumeRequest.newBuilder()
              .setName("one")
              .addVolumeCapabilities(capability(Mode.SINGLE_NODE_WRITER))
              .build();
      return new NetworkController(settings, store)
          .createVolume(request, Call.NONE)
          .getVolume()
          .getVolumeId();
    }
  }

  private void delete(String id) throws IOException {
    try (ExportStore store = new ExportStore(export)) {
      store.open();
      new NetworkController(settings, store)
          .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build(), Call.NONE);
    }
  }

  private void publish(String id, Path where, Mode mode, String credentials) {
    NodePublishVolumeRequest.Builder request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setTargetPath(where.toString())
            .setVolumeCapability(capability(mode));
    if (!credentials.isEmpty()) {
      request.putSecrets("credentials", credentials);
    }
    new NetworkNode(settings, mounter).nodePublishVolume(request.build(), Call.NONE);
  }

  private void unpublish(String id, Path where) {
    new NetworkNode(settings, mounter)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(where.toString())
                .build(),
            Call.NONE);
  }

  private static VolumeCapability capability(Mode mode) {
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().addMountFlags("noatime");
    capability.getAccessModeBuilder().setMode(mode);
    return capability.build();
  }

  /** The processes that serve our mounts. */
  private List<ProcessHandle> helpers() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("bindfs"))
        .filter(process -> process.info().commandLine().orElse("").contains(root.toString()))
        .toList();
  }

  private static Handler capture(List<String> log) {
    return new Handler() {
      @Override
      public void publish(LogRecord entry) {
        log.add(entry.getMessage() + " " + entry.getThrown());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
