package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Timestamp;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bugs seen in the field, each by its id, played over a real socket. */
@Timeout(60)
class ServedFieldBugsTest {
  private static Status status(Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("the call should have failed").isNotNull();
    return failure.getStatus();
  }

  /** A restore outlives its caller; its snapshot is not deleted below it. */
  @Test
  @Proves({"CTRL-DELSNAP-006", "GEN-CONC-002", "GEN-CONC-003"})
  void b076ASnapshotIsNotDeletedWhileARestoreGoesOnThatNobodyWaitsFor() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(1);
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            started.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            finished.countDown();
            return super.createVolume(request, call);
          }
        }.driver().build();
    CreateVolumeRequest restore =
        ValidRequests.create()
            .setVolumeContentSource(
                VolumeContentSource.newBuilder()
                    .setSnapshot(
                        VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("snap-1")))
            .build();
    DeleteSnapshotRequest delete =
        DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-1").build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      assertThat(controller.deleteSnapshot(delete)).isNotNull();
      do { // A server that stalls meanwhile never begins the call.
        assertThat(
                status(
                        () ->
                            controller
                                .withDeadlineAfter(500, TimeUnit.MILLISECONDS)
                                .createVolume(restore))
                    .getCode())
            .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      } while (started.getCount() > 0);
      Status refusal = status(() -> controller.deleteSnapshot(delete));
      assertThat(refusal.getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(refusal.getDescription()).contains("snapshot snap-1").contains("CreateVolume");
      release.countDown();
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(controller.deleteSnapshot(delete)).isNotNull();
    } finally {
      release.countDown();
    }
  }

  /** A handler that breaks breaks its call only. */
  @Test
  @Proves("GEN-ERR-005")
  void b089AHandlerThatBreaksDoesNotTakeTheProcessWithIt() {
    AtomicInteger rounds = new AtomicInteger();
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
            switch (rounds.incrementAndGet()) {
              case 1 -> throw new NullPointerException("a test");
              case 2 -> throw new StackOverflowError("a test");
              case 3 -> throw new OutOfMemoryError("a test");
              default -> {
                return super.listVolumes(request, call);
              }
            }
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      for (int i = 0; i < 3; i++) {
        assertThat(
                status(() -> controller.listVolumes(ListVolumesRequest.getDefaultInstance()))
                    .getCode())
            .isEqualTo(Status.Code.INTERNAL);
      }
      assertThat(controller.listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesCount())
          .isEqualTo(1);
    }
  }

  /** An entry without its volume would crash the attacher; it is never sent. */
  @Test
  void b145AListingWithAnEmptyEntryIsNotSent() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
            return ListVolumesResponse.newBuilder()
                .addEntries(ListVolumesResponse.Entry.getDefaultInstance())
                .build();
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      Status status =
          status(
              () ->
                  ControllerGrpc.newBlockingStub(served.channel())
                      .listVolumes(ListVolumesRequest.getDefaultInstance()));
      assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(status.getDescription()).contains("entries[0].volume");
    }
  }

  /** A client with the default limit of 4 MiB gets a list of 10 MB, in pages. */
  @Test
  void b144AListLargerThanAMessageArrivesWholeThoughNobodyPages() {
    List<ListVolumesResponse.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      entries.add(
          ListVolumesResponse.Entry.newBuilder()
              .setVolume(
                  Volume.newBuilder()
                      .setVolumeId("vol-" + i)
                      .putVolumeContext("k", "x".repeat(4000)))
              .setStatus(
                  ListVolumesResponse.VolumeStatus.newBuilder()
                      .setVolumeCondition(
                          VolumeCondition.newBuilder().setMessage("the volume is healthy")))
              .build());
    }
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
            return ListVolumesResponse.newBuilder().addAllEntries(entries).build();
          }
        }.driver().build();
    List<ListVolumesResponse.Entry> seen = new ArrayList<>();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      String token = "";
      do {
        ListVolumesResponse page =
            controller.listVolumes(ListVolumesRequest.newBuilder().setStartingToken(token).build());
        seen.addAll(page.getEntriesList());
        token = page.getNextToken();
      } while (!token.isEmpty());
    }
    assertThat(seen).isEqualTo(entries);
  }

  /** A sidecar would take the first entry of an unfiltered list for its own snapshot. */
  @Test
  void b141AListOfSnapshotsThatIgnoresItsFilterIsNotSent() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ListSnapshotsResponse listSnapshots(
              ListSnapshotsRequest request, CallContext call) {
            return ListSnapshotsResponse.newBuilder()
                .addEntries(
                    ListSnapshotsResponse.Entry.newBuilder()
                        .setSnapshot(
                            Snapshot.newBuilder()
                                .setSnapshotId("snap-1")
                                .setSourceVolumeId("vol-1")
                                .setSizeBytes(1)
                                .addAccessibleTopology(
                                    Topology.newBuilder().putSegments("zone", "a"))
                                .setCreationTime(Timestamp.newBuilder().setSeconds(1))))
                .build();
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      assertThat(
              controller.listSnapshots(ListSnapshotsRequest.getDefaultInstance()).getEntriesList())
          .isNotEmpty();
      Status status =
          status(
              () ->
                  controller.listSnapshots(
                      ListSnapshotsRequest.newBuilder().setSnapshotId("another").build()));
      assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(status.getDescription()).contains("entries[0].snapshot.snapshot_id");
    }
  }

  /** What the driver does not know is deleted and detached already. */
  @Test
  @Proves({"CTRL-DELETE-003", "CTRL-UNPUB-004", "CTRL-UNPUB-005", "CTRL-UNPUB-006"})
  void b085AVanishedVolumeOrNodeIsDetachedAndDeletedAlready() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
              ControllerUnpublishVolumeRequest request, CallContext call) {
            if (request.getVolumeId().equals("busy")) {
              throw CsiException.failedPrecondition("in use");
            }
            throw CsiException.notFound("no such volume or node");
          }

          @Override
          public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
            throw Status.NOT_FOUND.asRuntimeException();
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ControllerGrpc.ControllerBlockingStub controller =
          ControllerGrpc.newBlockingStub(served.channel());
      for (String node : List.of("", "gone")) {
        assertThat(
                controller.controllerUnpublishVolume(
                    ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId("gone")
                        .setNodeId(node)
                        .build()))
            .isNotNull();
      }
      assertThat(
              controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("gone").build()))
          .isNotNull();
      Status refusal =
          status(
              () ->
                  controller.controllerUnpublishVolume(
                      ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("busy").build()));
      assertThat(refusal.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
  }

  /** A sidecar of another generation gets a clean refusal, and the operator one line. */
  @Test
  void b162ACallOfTheFirstDraftIsUnimplementedAndLoggedOnce() {
    MethodDescriptor<GetPluginInfoRequest, GetPluginInfoResponse> draft =
        IdentityGrpc.getGetPluginInfoMethod().toBuilder()
            .setFullMethodName("csi.v0.Identity/GetPluginInfo")
            .build();
    try (LogCapture log = LogCapture.at("dev.csijava", Level.WARNING);
        ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      ManagedChannel channel = served.channel();
      for (int i = 0; i < 3; i++) {
        assertThat(
                status(
                        () ->
                            ClientCalls.blockingUnaryCall(
                                channel,
                                draft,
                                CallOptions.DEFAULT,
                                GetPluginInfoRequest.getDefaultInstance()))
                    .getCode())
            .isEqualTo(Status.Code.UNIMPLEMENTED);
      }
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0)).contains("csi.v0.Identity/GetPluginInfo").contains("1.0");
    }
  }

  /** A client that was connected finds the driver again after its restart. */
  @Test
  void b181ADriverThatRestartsIsReachedByTheClientsItHad() throws Exception {
    CsiDriver driver = new EveryCapability().driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      IdentityGrpc.IdentityBlockingStub identity = IdentityGrpc.newBlockingStub(served.channel());
      GetPluginInfoRequest ask = GetPluginInfoRequest.getDefaultInstance();
      assertThat(identity.getPluginInfo(ask).getName()).isEqualTo("every.example.com");
      served.server().close();
      assertThat(status(() -> identity.getPluginInfo(ask)).getCode())
          .isEqualTo(Status.Code.UNAVAILABLE);
      CsiServer.Builder again =
          CsiServer.forDriver(driver).endpoint(CsiEndpoint.unix(served.socket()));
      try (CsiServer restarted = again.start()) {
        assertThat(
                identity
                    .withWaitForReady()
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .getPluginInfo(ask)
                    .getName())
            .isEqualTo(restarted.endpoint().path().isPresent() ? "every.example.com" : "");
      }
    }
  }
}
