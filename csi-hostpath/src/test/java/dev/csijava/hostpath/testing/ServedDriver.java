package dev.csijava.hostpath.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.HostpathDriver;
import dev.csijava.hostpath.HostpathSettings;
import dev.csijava.nativeio.FileSystemFreeze;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The driver in this process, on a socket, with real mounts and loop devices below one directory,
 * and a caller that does what kubelet does. Closing it leaves nothing behind, also after a failure.
 */
public final class ServedDriver implements AutoCloseable {
  private final Path root;
  private final UnaryOperator<HostpathSettings> change;
  private final Opener opener;
  private @Nullable HostpathDriver driver;
  private @Nullable CsiServer server;
  private @Nullable Client client;

  /** Puts a driver together. */
  @FunctionalInterface
  public interface Opener {
    /** Opens it. */
    HostpathDriver open(HostpathSettings settings) throws IOException;
  }

  private ServedDriver(Path root, UnaryOperator<HostpathSettings> change, Opener opener) {
    this.root = root;
    this.change = change;
    this.opener = opener;
  }

  /**
   * Starts it.
   *
   * @param directory what it may write to; state, run directory and kubelet's tree go there
   */
  public static ServedDriver start(Path directory) throws IOException {
    return start(directory, settings -> settings, HostpathDriver::open);
  }

  /** Starts it with other settings, or on a machine of the test's own. */
  public static ServedDriver start(
      Path directory, UnaryOperator<HostpathSettings> change, Opener opener) throws IOException {
    ServedDriver served = new ServedDriver(directory.toRealPath(), change, opener);
    served.open();
    return served;
  }

  /** Whether this process may mount. */
  public static boolean canMount() {
    return "root".equals(System.getProperty("user.name"));
  }

  private void open() throws IOException {
    HostpathDriver opened =
        opener.open(
            change.apply(
                HostpathSettings.of(
                    "hostpath.csi.k8s.io",
                    "test",
                    "node-1",
                    root.resolve("state"),
                    root.resolve("run"))));
    driver = opened;
    CsiServer started =
        CsiServer.forDriver(opened.driver())
            .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
            .start();
    server = started;
    client = Client.of(started.endpoint().toString());
  }

  private void shut() throws IOException {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
    if (driver != null) {
      driver.close();
    }
  }

  /** Ends the driver and starts it again; mounts and devices stay. */
  public void restart() throws IOException {
    shut();
    open();
  }

  /** The same, but mounts, devices and run directory are gone, as after a reboot of the node. */
  public void reboot() throws IOException {
    shut();
    clean();
    open();
  }

  private void clean() throws IOException {
    for (Mount mount : MountTable.read().below(root).reversed()) {
      // What is unmounted while it is frozen can't be thawed any more.
      if (mount.source().startsWith("/dev/loop")) {
        thaw(mount.target());
      }
      Mounter.system().unmount(mount.target());
    }
    Loops.detachBelow(root);
    Path run = root.resolve("run");
    if (Files.exists(run)) {
      try (Stream<Path> files = Files.walk(run)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void thaw(Path mountPoint) {
    try {
      boolean _ = FileSystemFreeze.thaw(mountPoint);
    } catch (IOException e) {
      // One that has shut itself down says so, and is not frozen.
      assertThat(e).hasMessageContaining("EIO");
    }
  }

  /** Unmounts, detaches and stops. */
  @Override
  public void close() throws IOException {
    try {
      shut();
    } finally {
      clean();
    }
  }

  /** Where everything lies. */
  public Path root() {
    return root;
  }

  /** The caller. */
  public Client client() {
    if (client == null) {
      throw new IllegalStateException("the driver is not started");
    }
    return client;
  }

  /** Where the data of a volume lies. */
  public Path data(String volumeId) {
    return root.resolve("state/volumes").resolve(volumeId).resolve("data");
  }

  /** Its staging path, which kubelet makes. */
  public Path staging(String volumeId) throws IOException {
    return staging(root, volumeId);
  }

  private static Path staging(Path root, String volumeId) throws IOException {
    return Files.createDirectories(
        root.resolve("kubelet/plugins").resolve(volumeId).resolve("globalmount"));
  }

  /** The target path for a pod; kubelet makes the folder that it lies in. */
  public Path target(String pod) throws IOException {
    return Files.createDirectories(root.resolve("kubelet/pods").resolve(pod)).resolve("mount");
  }

  /** CreateVolume. */
  public Volume create(CreateVolumeRequest.Builder request) {
    return client().controller().createVolume(request.build()).getVolume();
  }

  /** CreateSnapshot. */
  public String snapshot(String name, String volumeId) {
    return client()
        .controller()
        .createSnapshot(Requests.snapshot(name, volumeId).build())
        .getSnapshot()
        .getSnapshotId();
  }

  /** DeleteVolume. */
  public void delete(String volumeId) {
    DeleteVolumeRequest request = DeleteVolumeRequest.newBuilder().setVolumeId(volumeId).build();
    client().controller().deleteVolume(request);
  }

  /** NodeStageVolume. */
  public Path stage(String volumeId, VolumeCapability capability) throws IOException {
    return stage(client(), root, volumeId, capability);
  }

  /** The same, of a driver that runs elsewhere. */
  public static Path stage(Client client, Path root, String volumeId, VolumeCapability capability)
      throws IOException {
    Path staging = staging(root, volumeId);
    client
        .node()
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(capability)
                .build());
    return staging;
  }

  /** NodePublishVolume for a pod. */
  public Path publish(String volumeId, String pod, VolumeCapability capability, boolean readOnly)
      throws IOException {
    Path target = target(pod);
    client()
        .node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging(volumeId).toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability)
                .setReadonly(readOnly)
                .build());
    return target;
  }

  /** NodeUnpublishVolume for a pod. */
  public void unpublish(String volumeId, String pod) throws IOException {
    client()
        .node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target(pod).toString())
                .build());
  }

  /** NodeUnstageVolume. */
  public void unstage(String volumeId) throws IOException {
    client()
        .node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging(volumeId).toString())
                .build());
  }
}
