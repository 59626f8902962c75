package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.StillTree;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every RPC with bad input, over the socket: the right code, a sentence, and nothing changed on
 * disk or in the mount table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
  private static final Set<String> NEEDS_NOTHING =
      Set.of(
          "GetPluginInfo",
          "GetPluginCapabilities",
          "Probe",
          "ControllerGetCapabilities",
          "ListVolumes",
          "ControllerListVolumeHealth",
          "GroupControllerGetCapabilities",
          "NodeGetStorageHealth",
          "ListSnapshots",
          "GetCapacity",
          "NodeGetCapabilities",
          "NodeGetInfo");

  private static final Map<String, String> BAD_IDS =
      Map.of(
          "an unknown id", "no-such-id",
          "an id that climbs", "../../../../etc",
          "an id with a slash", "a/b",
          "an id with NUL", "a\0b",
          "an id of 300 characters", "x".repeat(300),
          "an id in Unicode", "größe-\u2603-\ud83d\udcbe");

  private Path root = Path.of("");
  private ServedDriver driver;
  private Client client;
  private String volume = "";
  private Path staging = Path.of("");
  private Path target = Path.of("");

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    driver = ServedDriver.start(directory);
    root = driver.root();
    client = driver.client();
    volume =
        client.controller().createVolume(Requests.create("v").build()).getVolume().getVolumeId();
    client.controller().createSnapshot(Requests.snapshot("s", volume).build());
    staging = Files.createDirectories(root.resolve("kubelet/globalmount"));
    target = Files.createDirectories(root.resolve("kubelet/pod")).resolve("mount");
    client.node().nodeStageVolume(stage().build());
    client.node().nodePublishVolume(publish().build());
    Files.writeString(Files.createDirectory(root.resolve("kubelet/foreign")).resolve("f"), "mine");
    Files.createSymbolicLink(root.resolve("kubelet/link"), root.resolve("kubelet/foreign"));
  }

  @AfterAll
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private NodeStageVolumeRequest.Builder stage() {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath(staging.toString())
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER));
  }

  private NodePublishVolumeRequest.Builder publish() {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath(staging.toString())
        .setTargetPath(target.toString())
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER));
  }

  private Path fresh() {
    return root.resolve("kubelet/pod/fresh");
  }

  @TestFactory
  Stream<DynamicTest> anEmptyRequest() {
    Set<String> offered = offered();
    return methods().entrySet().stream()
        .map(
            method -> {
              Status.Code code =
                  NEEDS_NOTHING.contains(method.getKey())
                      ? Status.Code.OK
                      : offered.contains(method.getKey())
                          ? Status.Code.INVALID_ARGUMENT
                          : Status.Code.UNIMPLEMENTED;
              return test("", method.getKey(), prototype(method.getValue()), code);
            });
  }

  /** The RPCs that this driver offers and that need something in the request. */
  private Set<String> offered() {
    return Set.of(
        "CreateVolume",
        "DeleteVolume",
        "ValidateVolumeCapabilities",
        "ControllerGetVolume",
        "CreateSnapshot",
        "DeleteSnapshot",
        "GetSnapshot",
        "CreateVolumeGroupSnapshot",
        "DeleteVolumeGroupSnapshot",
        "GetVolumeGroupSnapshot",
        "ControllerExpandVolume",
        "ControllerGetVolumeHealth",
        "NodeExpandVolume",
        "NodeGetVolumeHealth",
        "NodeStageVolume",
        "NodeUnstageVolume",
        "NodePublishVolume",
        "NodeUnpublishVolume",
        "NodeGetVolumeStats");
  }

  @TestFactory
  Stream<DynamicTest> anIdThatIsNone() {
    List<DynamicTest> tests = new ArrayList<>();
    BAD_IDS.forEach(
        (what, id) -> {
          boolean tooLong = id.length() > 128;
          Status.Code absent = tooLong ? Status.Code.INVALID_ARGUMENT : Status.Code.NOT_FOUND;
          Status.Code harmless = tooLong ? Status.Code.INVALID_ARGUMENT : Status.Code.OK;
          Map<Message, Status.Code> expected = new LinkedHashMap<>();
          expected.put(DeleteVolumeRequest.newBuilder().setVolumeId(id).build(), harmless);
          expected.put(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build(), harmless);
          expected.put(ListSnapshotsRequest.newBuilder().setSnapshotId(id).build(), harmless);
          expected.put(ListSnapshotsRequest.newBuilder().setSourceVolumeId(id).build(), harmless);
          expected.put(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build(), absent);
          expected.put(GetSnapshotRequest.newBuilder().setSnapshotId(id).build(), absent);
          expected.put(
              ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(id).build(), absent);
          expected.put(
              ControllerExpandVolumeRequest.newBuilder()
                  .setVolumeId(id)
                  .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1))
                  .build(),
              absent);
          expected.put(
              NodeExpandVolumeRequest.newBuilder()
                  .setVolumeId(id)
                  .setVolumePath(target.toString())
                  .build(),
              absent);
          expected.put(
              NodeGetVolumeHealthRequest.newBuilder()
                  .setVolumeId(id)
                  .setVolumePublishPath(target.toString())
                  .build(),
              absent);
          expected.put(
              ValidateVolumeCapabilitiesRequest.newBuilder()
                  .setVolumeId(id)
                  .addVolumeCapabilities(Requests.mount(Mode.SINGLE_NODE_WRITER))
                  .build(),
              absent);
          expected.put(
              CreateSnapshotRequest.newBuilder().setName("x").setSourceVolumeId(id).build(),
              absent);
          expected.put(
              Requests.create("x").setVolumeContentSource(Requests.fromVolume(id)).build(), absent);
          expected.put(
              Requests.create("x").setVolumeContentSource(Requests.fromSnapshot(id)).build(),
              absent);
          expected.put(stage().setVolumeId(id).build(), absent);
          expected.put(publish().setVolumeId(id).setTargetPath(fresh().toString()).build(), absent);
          expected.put(
              NodeGetVolumeStatsRequest.newBuilder()
                  .setVolumeId(id)
                  .setVolumePath(target.toString())
                  .build(),
              absent);
          expected.put(
              NodeUnpublishVolumeRequest.newBuilder()
                  .setVolumeId(id)
                  .setTargetPath(fresh().toString())
                  .build(),
              harmless);
          expected.put(
              NodeUnstageVolumeRequest.newBuilder()
                  .setVolumeId(id)
                  .setStagingTargetPath(fresh().toString())
                  .build(),
              harmless);
          expected.forEach((request, code) -> tests.add(test(what + ": ", request, code)));
        });
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> aPathThatIsNone() {
    Path kubelet = root.resolve("kubelet");
    List<DynamicTest> tests = new ArrayList<>();
    Map<String, String> malformed =
        Map.of(
            "a relative path", "some/path",
            "a path that climbs", kubelet + "/pod/../../state",
            "a path with NUL", kubelet + "/a\0b");
    malformed.forEach(
        (what, path) -> {
          Status.Code code = Status.Code.INVALID_ARGUMENT;
          tests.add(test(what + ": ", stage().setStagingTargetPath(path).build(), code));
          tests.add(test(what + ": ", publish().setTargetPath(path).build(), code));
          tests.add(test(what + ": ", publish().setStagingTargetPath(path).build(), code));
          tests.add(test(what + ": ", unpublish(path), code));
          tests.add(test(what + ": ", unstage(path), code));
          tests.add(
              test(
                  what + ": ",
                  stats(path),
                  path.startsWith("/") ? code : Status.Code.NOT_FOUND)); // csi-sanity's wish
        });
    Status.Code refused = Status.Code.FAILED_PRECONDITION;
    String missing = kubelet + "/no/such/parent";
    tests.add(test("a missing path: ", stage().setStagingTargetPath(missing).build(), refused));
    tests.add(test("a missing parent: ", publish().setTargetPath(missing).build(), refused));
    tests.add(test("a missing path: ", stats(missing), Status.Code.NOT_FOUND));
    tests.add(test("a missing path: ", unpublish(missing), Status.Code.OK));
    tests.add(test("a missing path: ", unstage(missing), Status.Code.OK));
    for (String foreign :
        List.of(kubelet + "/foreign", kubelet + "/foreign/f", kubelet + "/link")) {
      Set<Status.Code> no = Set.of(refused, Status.Code.INVALID_ARGUMENT);
      tests.add(test("foreign: ", stage().setStagingTargetPath(foreign).build(), no));
      tests.add(test("foreign: ", publish().setTargetPath(foreign).build(), no));
      tests.add(test("foreign: ", unpublish(foreign), no));
      tests.add(test("foreign: ", stats(foreign), Set.of(Status.Code.NOT_FOUND)));
    }
    return tests.stream();
  }

  private Message unpublish(String path) {
    return NodeUnpublishVolumeRequest.newBuilder().setVolumeId(volume).setTargetPath(path).build();
  }

  private Message unstage(String path) {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setStagingTargetPath(path)
        .build();
  }

  private Message stats(String path) {
    return NodeGetVolumeStatsRequest.newBuilder().setVolumeId(volume).setVolumePath(path).build();
  }

  @TestFactory
  Stream<DynamicTest> aCapabilityWithoutAccessType() {
    VolumeCapability none =
        Requests.mount(Mode.SINGLE_NODE_WRITER).toBuilder().clearMount().build();
    Status.Code code = Status.Code.INVALID_ARGUMENT;
    return Stream.of(
        test(
            "",
            Requests.create("x").clearVolumeCapabilities().addVolumeCapabilities(none).build(),
            code),
        test("", Requests.create("x").addVolumeCapabilities(none).build(), code),
        test("", stage().setVolumeCapability(none).build(), code),
        test("", publish().setVolumeCapability(none).build(), code),
        test(
            "",
            ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(volume)
                .addVolumeCapabilities(none)
                .build(),
            code));
  }

  @TestFactory
  Stream<DynamicTest> aSizeThatIsNone() {
    return Stream.of(
        test("0: ", sized(0, 0), Status.Code.INVALID_ARGUMENT),
        test("-1: ", sized(-1, 0), Status.Code.INVALID_ARGUMENT),
        test("limit -1: ", sized(1, -1), Status.Code.INVALID_ARGUMENT),
        test("limit below: ", sized(2, 1), Status.Code.INVALID_ARGUMENT),
        test("2^62: ", sized(1L << 62, 0), Status.Code.OUT_OF_RANGE),
        test("2^62 of both: ", sized(1L << 62, 1L << 62), Status.Code.OUT_OF_RANGE));
  }

  private static Message sized(long required, long limit) {
    CreateVolumeRequest.Builder request = Requests.create("x");
    request.getCapacityRangeBuilder().setRequiredBytes(required).setLimitBytes(limit);
    return request.build();
  }

  private DynamicTest test(String what, Message request, Status.Code code) {
    return test(what, request, Set.of(code));
  }

  private DynamicTest test(String what, Message request, Set<Status.Code> codes) {
    String type = request.getDescriptorForType().getName();
    String rpc = type.substring(0, type.length() - "Request".length());
    return DynamicTest.dynamicTest(what + rpc + fields(request), () -> check(rpc, request, codes));
  }

  private DynamicTest test(String what, String rpc, Message request, Status.Code code) {
    return DynamicTest.dynamicTest(what + rpc, () -> check(rpc, request, Set.of(code)));
  }

  private static String fields(Message request) {
    return request.getAllFields().keySet().stream()
        .map(FieldDescriptor::getName)
        .toList()
        .toString();
  }

  private void check(String rpc, Message request, Set<Status.Code> codes) throws IOException {
    Map<String, String> before = everything();
    Status status = call(rpc, request);
    assertThat(codes).as(() -> rpc + " answers " + status).contains(status.getCode());
    if (!status.isOk()) {
      assertThat(status.getDescription()).as("a sentence").contains(" ").hasSizeGreaterThan(15);
    }
    assertThat(everything()).as("disk and mounts").isEqualTo(before);
  }

  private Status call(String rpc, Message request) {
    MethodDescriptor<Message, Message> method = Objects.requireNonNull(methods().get(rpc));
    try {
      if (method.getType() == MethodDescriptor.MethodType.UNARY) {
        ClientCalls.blockingUnaryCall(client.channel(), method, CallOptions.DEFAULT, request);
      } else {
        ClientCalls.blockingServerStreamingCall(
                client.channel(), method, CallOptions.DEFAULT, request)
            .forEachRemaining(reply -> {});
      }
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /** What lies below the test's directory, mounted volumes included, and what is mounted there. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path path : StillTree.of(root, root.resolve("state/trash"))) {
      found.put(
          path.toString(),
          Files.readAttributes(path, "unix:mode,uid,ino", LinkOption.NOFOLLOW_LINKS).toString());
    }
    for (Mount mount : MountTable.read().below(root)) {
      found.put("mount " + mount.id(), mount.toString());
    }
    return found;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, MethodDescriptor<Message, Message>> methods() {
    Map<String, MethodDescriptor<Message, Message>> methods = new LinkedHashMap<>();
    Stream.of(
            IdentityGrpc.getServiceDescriptor(),
            ControllerGrpc.getServiceDescriptor(),
            GroupControllerGrpc.getServiceDescriptor(),
            SnapshotMetadataGrpc.getServiceDescriptor(),
            NodeGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream())
        .forEach(
            method ->
                methods.put(
                    method.getBareMethodName(), (MethodDescriptor<Message, Message>) method));
    return methods;
  }

  private static Message prototype(MethodDescriptor<Message, Message> method) {
    Object prototype =
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
            .getMessagePrototype();
    return (Message) Objects.requireNonNull(prototype);
  }
}
