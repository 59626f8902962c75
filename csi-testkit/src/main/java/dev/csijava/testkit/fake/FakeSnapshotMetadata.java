package dev.csijava.testkit.fake;

import com.google.common.collect.Lists;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The SnapshotMetadata service. */
final class FakeSnapshotMetadata extends SnapshotMetadataGrpc.SnapshotMetadataImplBase {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  FakeSnapshotMetadata(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  /** All that a stream will say. */
  private record Tuples(long capacity, List<BlockMetadata> all, int batch) {}

  @Override
  public void getMetadataAllocated(
      GetMetadataAllocatedRequest request, StreamObserver<GetMetadataAllocatedResponse> observer) {
    stream(
        observer,
        () -> allocated(request),
        tuples ->
            part ->
                GetMetadataAllocatedResponse.newBuilder()
                    .setBlockMetadataType(settings.blockMetadataType)
                    .setVolumeCapacityBytes(tuples.capacity())
                    .addAllBlockMetadata(part)
                    .build());
  }

  @Override
  public void getMetadataDelta(
      GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> observer) {
    stream(
        observer,
        () -> delta(request),
        tuples ->
            part ->
                GetMetadataDeltaResponse.newBuilder()
                    .setBlockMetadataType(settings.blockMetadataType)
                    .setVolumeCapacityBytes(tuples.capacity())
                    .addAllBlockMetadata(part)
                    .build());
  }

  private Tuples allocated(GetMetadataAllocatedRequest request) {
    check(request, "GetMetadataAllocated");
    Fields.required(request.getSnapshotId(), "snapshot_id");
    int batch = batch(request.getMaxResults());
    FakeSnapshot snapshot = ready(request.getSnapshotId());
    checkOffset(request.getStartingOffset(), snapshot);
    return new Tuples(
        snapshot.size(),
        snapshot.blocks().allocated(request.getStartingOffset(), settings.blockMetadataType),
        batch);
  }

  private Tuples delta(GetMetadataDeltaRequest request) {
    check(request, "GetMetadataDelta");
    Fields.required(request.getBaseSnapshotId(), "base_snapshot_id");
    Fields.required(request.getTargetSnapshotId(), "target_snapshot_id");
    int batch = batch(request.getMaxResults());
    FakeSnapshot base = ready(request.getBaseSnapshotId());
    FakeSnapshot target = ready(request.getTargetSnapshotId());
    if (!base.sourceVolume().equals(target.sourceVolume())) {
      throw Failure.invalid("the snapshots are of different volumes");
    }
    if (target.cut().isBefore(base.cut())) {
      throw Failure.invalid("the target snapshot is older than the base");
    }
    if (!settings.changedBlockTracking) {
      throw Failure.precondition("changed blocks are not tracked");
    }
    checkOffset(request.getStartingOffset(), target);
    return new Tuples(
        target.size(),
        target
            .blocks()
            .changedSince(base.blocks(), request.getStartingOffset(), settings.blockMetadataType),
        batch);
  }

  private void check(Message request, String rpc) {
    FakeServices.gate(settings.metadataService(), rpc);
    services.fields.check(request);
  }

  private int batch(int maxResults) {
    if (maxResults < 0) {
      throw Failure.invalid("max_results must not be negative");
    }
    int own = settings.blockMetadataBatch;
    return maxResults == 0 ? own : Math.min(own, maxResults);
  }

  private FakeSnapshot ready(String id) {
    FakeSnapshot snapshot = state.snapshot(id);
    if (!snapshot.ready(Instant.now())) {
      throw Failure.unavailable("snapshot " + id + " is not ready yet");
    }
    return snapshot;
  }

  private static void checkOffset(long offset, FakeSnapshot snapshot) {
    if (offset < 0 || offset > snapshot.size()) {
      throw Failure.outOfRange("starting_offset is not within the " + snapshot.size() + " bytes");
    }
  }

  private <R> void stream(
      StreamObserver<R> observer,
      Supplier<Tuples> gather,
      Function<Tuples, Function<List<BlockMetadata>, R>> message) {
    Tuples tuples;
    try {
      synchronized (state) {
        tuples = gather.get();
      }
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    }
    Function<List<BlockMetadata>, R> reply = message.apply(tuples);
    ServerCallStreamObserver<R> caller = (ServerCallStreamObserver<R>) observer;
    List<List<BlockMetadata>> parts =
        tuples.all().isEmpty() ? List.of(List.of()) : Lists.partition(tuples.all(), tuples.batch());
    for (List<BlockMetadata> part : parts) {
      if (caller.isCancelled()) {
        return;
      }
      caller.onNext(reply.apply(part));
    }
    caller.onCompleted();
  }
}
