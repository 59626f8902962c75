package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import dev.csijava.core.operation.OperationListener;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of the inventory that no other test shows, over a real socket. */
@Timeout(60)
class ServedRequirementsTest {
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    release.countDown();
  }

  private void hold() {
    started.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Status status(Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("the call should have failed").isNotNull();
    return failure.getStatus();
  }

  @Test
  @Proves({"GEN-LIFE-005", "NODE-INFO-009"})
  void aNodeAlonePublishesAndUnpublishesWithoutAnyOtherCall() {
    EveryCapability handlers = new EveryCapability();
    CsiDriver driver =
        CsiDriver.named("a.b").version("1").node(n -> n.id("n").publishing(handlers)).build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(served.channel());
      NodePublishVolumeRequest publish = ValidRequests.publish().clearStagingTargetPath().build();
      assertThat(node.nodePublishVolume(publish)).isNotNull();
      assertThat(node.nodeUnpublishVolume(ValidRequests.unpublish().build())).isNotNull();
    }
    assertThat(handlers.calls)
        .containsEntry("NodePublishVolume", 1)
        .containsEntry("NodeUnpublishVolume", 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Rpc.class,
      names = {
        "DELETE_VOLUME",
        "DELETE_SNAPSHOT",
        "DELETE_VOLUME_GROUP_SNAPSHOT",
        "CONTROLLER_UNPUBLISH_VOLUME"
      })
  @Proves({
    "CTRL-DELETE-003",
    "CTRL-DELETE-004",
    "CTRL-DELSNAP-003",
    "CTRL-UNPUB-004",
    "CTRL-UNPUB-005",
    "CTRL-UNPUB-006",
    "GROUP-DELETE-004"
  })
  void whatTheDriverDoesNotFindIsDeletedOrDetachedAlready(Rpc rpc) {
    try (ServedDriver served =
        ServedDriver.start(Forgetful.driver(CsiException.notFound("none")))) {
      assertThat(WireCalls.call(served.channel(), rpc)).isEqualTo(Status.OK);
    }
    try (ServedDriver served =
        ServedDriver.start(Forgetful.driver(CsiException.failedPrecondition("in use")))) {
      assertThat(WireCalls.call(served.channel(), rpc).getCode())
          .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
  }

  @Test
  @Proves("CTRL-LISTSNAP-013")
  void aFilterThatMatchesNothingIsAnsweredWithNothingAndOtherFailuresArePassedOn() {
    ListSnapshotsRequest ofOne = ListSnapshotsRequest.newBuilder().setSnapshotId("s").build();
    ListSnapshotsRequest ofVolume =
        ListSnapshotsRequest.newBuilder().setSourceVolumeId("v").build();
    ListSnapshotsRequest ofAll = ListSnapshotsRequest.getDefaultInstance();
    try (ServedDriver served =
        ServedDriver.start(Forgetful.driver(CsiException.notFound("none")))) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      assertThat(controller.listSnapshots(ofOne).getEntriesList()).isEmpty();
      assertThat(controller.listSnapshots(ofVolume).getEntriesList()).isEmpty();
      assertThat(status(() -> controller.listSnapshots(ofAll)).getCode())
          .isEqualTo(Status.Code.NOT_FOUND);
    }
    try (ServedDriver served = ServedDriver.start(Forgetful.driver(CsiException.aborted("busy")))) {
      assertThat(
              status(() -> ControllerGrpc.newBlockingStub(served.channel()).listSnapshots(ofOne))
                  .getCode())
          .isEqualTo(Status.Code.ABORTED);
    }
  }

  @Test
  @Proves("GEN-SEC-002")
  void aSecretThatIsNoTextIsRefused() {
    byte[] request =
        DeleteVolumeRequest.newBuilder()
            .setVolumeId("v")
            .putSecrets("k", "##")
            .build()
            .toByteArray();
    byte[] binary = request.clone();
    binary[binary.length - 1] = (byte) 0xff;
    EveryCapability handlers = new EveryCapability();
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      String method = "csi.v1.Controller/DeleteVolume";
      assertThat(raw(served, method, request)).isEmpty();
      Status refusal = status(() -> raw(served, method, binary));
      assertThat(refusal.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
    assertThat(handlers.calls).containsEntry("DeleteVolume", 1);
  }

  @Test
  @Proves({"CTRL-LISTSNAP-009", "CTRL-LISTVOL-009", "V113-LHEALTH-004"})
  void aTokenThatWasNotHandedOutIsAbortedInEveryListAndTheDriverIsNotAsked() {
    EveryCapability handlers = new EveryCapability();
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      for (String token : List.of("nonsense", "0", "-1", "w")) {
        assertThat(
                status(
                        () ->
                            controller.listVolumes(
                                ListVolumesRequest.newBuilder().setStartingToken(token).build()))
                    .getCode())
            .isEqualTo(Status.Code.ABORTED);
        assertThat(
                status(
                        () ->
                            controller.listSnapshots(
                                ListSnapshotsRequest.newBuilder().setStartingToken(token).build()))
                    .getCode())
            .isEqualTo(Status.Code.ABORTED);
        assertThat(
                status(
                        () ->
                            controller.controllerListVolumeHealth(
                                ControllerListVolumeHealthRequest.newBuilder()
                                    .setStartingToken(token)
                                    .build()))
                    .getCode())
            .isEqualTo(Status.Code.ABORTED);
      }
    }
    assertThat(handlers.calls)
        .doesNotContainKeys("ListVolumes", "ListSnapshots", "ControllerListVolumeHealth");
  }

  @Test
  @Proves({"CTRL-SNAP-007", "GEN-CONC-001", "GEN-CONC-002", "GEN-CONC-003"})
  void aSnapshotThatIsBeingMadeIsAbortedForWhoeverAsksOtherwise() throws Exception {
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateSnapshotResponse createSnapshot(
              CreateSnapshotRequest request, CallContext call) {
            hold();
            return super.createSnapshot(request, call);
          }
        };
    CreateSnapshotRequest request = ValidRequests.snapshot().build();
    CreateSnapshotRequest other = request.toBuilder().putParameters("kind", "other").build();
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      ManagedChannel channel = served.channel();
      ListenableFuture<CreateSnapshotResponse> first =
          ControllerGrpc.newFutureStub(channel).createSnapshot(request);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ControllerGrpc.ControllerBlockingStub controller = ControllerGrpc.newBlockingStub(channel);
      assertThat(status(() -> controller.createSnapshot(other)).getCode())
          .isEqualTo(Status.Code.ABORTED);
      release.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS).hasSnapshot()).isTrue();
      assertThat(controller.createSnapshot(request)).isEqualTo(first.get());
    }
  }

  @Test
  @Proves({"CTRL-DELSNAP-006", "GEN-CONC-001", "GEN-CONC-002", "GEN-CONC-003"})
  void aSnapshotThatIsBeingRestoredIsNotDeletedUntilThatIsOver() throws Exception {
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            hold();
            return super.createVolume(request, call);
          }
        };
    CreateVolumeRequest.Builder restore = ValidRequests.create();
    restore.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId("s");
    DeleteSnapshotRequest delete = DeleteSnapshotRequest.newBuilder().setSnapshotId("s").build();
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      ManagedChannel channel = served.channel();
      ListenableFuture<CreateVolumeResponse> first =
          ControllerGrpc.newFutureStub(channel).createVolume(restore.build());
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ControllerGrpc.ControllerBlockingStub controller = ControllerGrpc.newBlockingStub(channel);
      assertThat(status(() -> controller.deleteSnapshot(delete)).getCode())
          .isEqualTo(Status.Code.ABORTED);
      assertThat(handlers.calls).doesNotContainKey("DeleteSnapshot");
      release.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS).hasVolume()).isTrue();
      assertThat(controller.deleteSnapshot(delete))
          .isEqualTo(DeleteSnapshotResponse.getDefaultInstance());
    }
  }

  @Test
  @Proves({"GEN-CONC-001", "NODE-PUB-012"})
  void publicationsThatDifferInTheirSecretsOnlyAreOne() throws Exception {
    CountDownLatch joined = new CountDownLatch(1);
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public NodePublishVolumeResponse nodePublishVolume(
              NodePublishVolumeRequest request, CallContext call) {
            hold();
            return super.nodePublishVolume(request, call);
          }
        };
    OperationListener listener =
        new OperationListener() {
          @Override
          public void joined(String rpc) {
            joined.countDown();
          }
        };
    try (ServedDriver served =
        ServedDriver.start(
            handlers.driver().build(),
            b -> b.operations(OperationSettings.defaults().withListener(listener)))) {
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(served.channel());
      ListenableFuture<NodePublishVolumeResponse> first =
          node.nodePublishVolume(ValidRequests.publish().putSecrets("password", "old").build());
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ListenableFuture<NodePublishVolumeResponse> second =
          node.nodePublishVolume(ValidRequests.publish().putSecrets("password", "new").build());
      assertThat(joined.await(10, TimeUnit.SECONDS)).isTrue();
      release.countDown();
      assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(first.get(10, TimeUnit.SECONDS));
    }
    assertThat(handlers.calls).containsEntry("NodePublishVolume", 1);
  }

  @Test
  @Proves({"GEN-RPC-007", "V113-WIRE-001"})
  void theWireIsGrpcWithTheMessagesOfCsiV1AndUnknownFieldsHarmNobody() {
    for (Rpc rpc : Rpc.values()) {
      assertThat(rpc.method().getFullMethodName()).matches("csi\\.v1\\.[A-Za-z]+/" + rpc.title());
    }
    byte[] fieldOfALaterVersion = {(byte) 0xfa, 0x3f, 1, 'x'};
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      byte[] reply = raw(served, "csi.v1.Identity/GetPluginInfo", fieldOfALaterVersion);
      String name = "every.example.com";
      assertThat(reply).startsWith((byte) (1 << 3 | 2), (byte) name.length());
      assertThat(new String(reply, 2, name.length(), StandardCharsets.UTF_8)).isEqualTo(name);
      // An access mode that no version has: refused, and the server goes on.
      CreateVolumeRequest.Builder create = ValidRequests.create();
      create.getVolumeCapabilitiesBuilder(0).getAccessModeBuilder().setModeValue(99);
      assertThat(
              status(
                      () ->
                          raw(
                              served,
                              "csi.v1.Controller/CreateVolume",
                              create.build().toByteArray()))
                  .getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(raw(served, "csi.v1.Identity/GetPluginInfo", new byte[0])).isEqualTo(reply);
    }
  }

  private static byte[] raw(ServedDriver served, String method, byte[] request) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    return ClientCalls.blockingUnaryCall(
        served.channel(), descriptor, CallOptions.DEFAULT, request);
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
