package dev.csijava.hostpath.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot whose data is in the trash already and whose record is still in the index. */
class VanishingSnapshotTest {
  private final CompletableFuture<Status.Code> answer = new CompletableFuture<>();
  private Runnable whenTrashed = () -> {};

  @Test
  @Timeout(30)
  void aSnapshotThatIsJustBeingDeletedIsNotFound(@TempDir Path directory) throws Exception {
    Steps steps =
        step -> {
          if (step == Steps.Step.TRASHED) {
            whenTrashed.run();
          }
        };
    try (StateDirectory state =
        StateDirectory.open(
            directory.toRealPath().resolve("state"),
            new LocalDisk(),
            new FakeKernel(),
            steps,
            TestState.clock())) {
      Record snapshot =
          state
              .snapshots()
              .create(
                  Record.newBuilder()
                      .setName("one")
                      .setSizeBytes(4096)
                      .setBacking(Backing.BLOCK)
                      .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("v"))
                      .build(),
                  data -> Files.write(data, new byte[4096]));
      HostpathSnapshotMetadata metadata =
          new HostpathSnapshotMetadata(state.snapshots(), BlockMetadataType.FIXED_LENGTH);
      whenTrashed = () -> askMeanwhile(metadata, snapshot.getId());

      state.snapshots().delete(snapshot);

      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  /** Goes on when the other thread has its answer or waits for the deletion. */
  private void askMeanwhile(HostpathSnapshotMetadata metadata, String id) {
    Thread asks = new Thread(() -> ask(metadata, id), "asks");
    asks.start();
    while (!answer.isDone() && asks.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }

  private void ask(HostpathSnapshotMetadata metadata, String id) {
    try {
      metadata.getMetadataAllocated(
          GetMetadataAllocatedRequest.newBuilder().setSnapshotId(id).build(),
          reply -> {},
          new FakeCall());
      answer.complete(Status.Code.OK);
    } catch (CsiException e) {
      answer.complete(e.code());
    }
  }
}
