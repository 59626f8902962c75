package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeLoops;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.PlainTreeCopier;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The whole driver behind a socket, on a node without a kernel; can be started again. */
final class DriverOnFakes implements AutoCloseable {
  static final VolumeCapability WRITER = Requests.mount(Mode.SINGLE_NODE_WRITER);

  private final FakeKernel kernel = new FakeKernel();
  private final FakeMachine machine;
  private final Path root;
  private HostpathSettings settings;
  private HostpathDriver driver;
  private CsiServer server;
  private Client client;

  DriverOnFakes(Path directory) throws IOException {
    this(directory, settings -> settings);
  }

  DriverOnFakes(Path directory, UnaryOperator<HostpathSettings> change) throws IOException {
    root = directory.toRealPath();
    machine =
        new FakeMachine(kernel, Files.createDirectories(root.resolve("dev")), new LocalDisk());
    settings =
        change.apply(
            HostpathSettings.of(
                "hostpath.csi.k8s.io",
                "test",
                "node-1",
                root.resolve("state"),
                root.resolve("run")));
    start();
  }

  private void start() throws IOException {
    driver =
        HostpathDriver.open(
            settings,
            new Host(
                new LocalDisk(),
                kernel,
                kernel,
                machine.usage(),
                new PlainTreeCopier(),
                machine.fileCopier(),
                stateDirectory -> machine.loops(),
                machine.filesystems(),
                Steps.NONE,
                TestState.clock()));
    server =
        CsiServer.forDriver(driver.driver())
            .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
            .start();
    client = Client.of(server.endpoint().toString());
  }

  /** Stops it and starts it again, maybe with other settings. */
  void restart(UnaryOperator<HostpathSettings> change) throws IOException {
    close();
    settings = change.apply(settings);
    start();
  }

  void restart() throws IOException {
    restart(unchanged -> unchanged);
  }

  Path root() {
    return root;
  }

  FakeKernel kernel() {
    return kernel;
  }

  FakeLoops loops() {
    return machine.loops();
  }

  ControllerGrpc.ControllerBlockingStub controller() {
    return client.controller();
  }

  NodeGrpc.NodeBlockingStub node() {
    return client.node();
  }

  GroupControllerGrpc.GroupControllerBlockingStub groups() {
    return GroupControllerGrpc.newBlockingStub(client.channel());
  }

  Client client() {
    return client;
  }

  Volume create(String name) {
    return controller().createVolume(Requests.create(name).build()).getVolume();
  }

  /** Where the data of the only volume lies. */
  Path onlyData() throws IOException {
    try (var folders = Files.list(root.resolve("state/volumes"))) {
      return folders.findFirst().orElseThrow().resolve("data");
    }
  }

  Path staging() throws IOException {
    return Files.createDirectories(root.resolve("globalmount"));
  }

  NodeStageVolumeRequest.Builder stage(String volumeId) throws IOException {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setStagingTargetPath(staging().toString())
        .setVolumeCapability(WRITER);
  }

  NodePublishVolumeRequest.Builder publish(String volumeId, Path target) throws IOException {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setStagingTargetPath(staging().toString())
        .setTargetPath(target.toString())
        .setVolumeCapability(WRITER);
  }

  /** An inline volume of a pod, whose directory is made as kubelet makes it. */
  NodePublishVolumeRequest.Builder inline(String volumeId, String pod) throws IOException {
    Path target = inlineTarget(pod);
    Files.createDirectories(target.getParent());
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setTargetPath(target.toString())
        .setVolumeCapability(WRITER)
        .putVolumeContext("csi.storage.k8s.io/ephemeral", "true");
  }

  Path pod(String pod) {
    return root.resolve("kubelet/pods").resolve(pod);
  }

  Path inlineTarget(String pod) {
    return pod(pod).resolve("volumes/kubernetes.io~csi/scratch/mount");
  }

  static String assertFails(Status.Code code, ThrowingCallable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(failure).as("the call should have failed with %s", code).isNotNull();
    assertThat(failure.getStatus().getCode()).as(failure.getMessage()).isEqualTo(code);
    return String.valueOf(failure.getStatus().getDescription());
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
    driver.close();
  }
}
