package dev.csijava.core.operation;

import static dev.csijava.core.operation.Calls.code;
import static dev.csijava.core.operation.Calls.get;
import static dev.csijava.core.operation.Calls.held;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls of one volume go side by side: the table and the engine together. */
class OperationsIndependenceTest {
  private static final Message DELETE =
      DeleteVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  private static final Message STAGE =
      NodeStageVolumeRequest.newBuilder()
          .setVolumeId("vol-1")
          .setStagingTargetPath("/staging")
          .build();

  private final Operations hasty =
      new Operations(OperationSettings.defaults().withLockWait(Duration.ofMillis(100)));
  private final Calls hastyCalls = new Calls(hasty);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void nothingIsLeftBehind() {
    mayEnd.countDown();
    Calls.awaitUntil(() -> hasty.size() == 0);
    hastyCalls.close();
    hasty.close();
  }

  @Test
  void b071TwentyUnpublishesOfOneVolumeRunAtTheSameTime() {
    CountDownLatch all = new CountDownLatch(20);
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(
          hastyCalls.start(
              unpublish("vol-1", "/pods/" + i),
              () -> {
                all.countDown();
                Calls.await(all);
                return "OK";
              }));
    }
    assertThat(calls).allMatch(call -> get(call).equals("OK"));
  }

  @Test
  void b079ALongCopyHoldsUpNeitherMountsNorOtherCopiesOfItsSource() {
    CompletableFuture<String> copy = hastyCalls.start(snapshot("one"), held(begun, mayEnd));
    Calls.await(begun);
    Message publish =
        NodePublishVolumeRequest.newBuilder().setVolumeId("vol-1").setTargetPath("/a").build();
    Message unstage =
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setStagingTargetPath("/staging")
            .build();
    for (Message call :
        List.of(STAGE, publish, unpublish("vol-1", "/a"), unstage, snapshot("two"))) {
      assertThat(get(hastyCalls.here(call, () -> "OK"))).isEqualTo("OK");
    }
    assertThat(code(hastyCalls.here(DELETE, () -> "not run"))).isEqualTo(Status.Code.ABORTED);
    mayEnd.countDown();
    assertThat(get(copy)).isEqualTo("held");
  }

  @Test
  void b076B088ASnapshotThatIsRestoredIsNotDeleted() {
    Message restore =
        CreateVolumeRequest.newBuilder()
            .setName("pvc-2")
            .setVolumeContentSource(
                VolumeContentSource.newBuilder()
                    .setSnapshot(
                        VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("snap-1")))
            .build();
    Message delete = DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-1").build();
    CompletableFuture<String> copy = hastyCalls.start(restore, held(begun, mayEnd));
    Calls.await(begun);
    assertThat(code(hastyCalls.here(delete, () -> "not run"))).isEqualTo(Status.Code.ABORTED);
    mayEnd.countDown();
    assertThat(get(copy)).isEqualTo("held");
    Calls.awaitUntil(() -> hasty.size() == 0);
    assertThat(get(hastyCalls.here(delete, () -> "deleted"))).isEqualTo("deleted");
  }

  @Test
  void b172AHundredStatsOfAVolumeThatHangsHoldOneThreadAndNoOtherVolume() {
    CompletableFuture<String> hung = hastyCalls.start(stats("vol-1"), held(begun, mayEnd));
    Calls.await(begun);
    List<CompletableFuture<String>> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      others.add(hastyCalls.here(stats("vol-1"), () -> "not run"));
    }
    assertThat(get(hastyCalls.here(stats("vol-2"), () -> "usage"))).isEqualTo("usage");
    assertThat(get(hastyCalls.here(unpublish("vol-1", "/a"), () -> "OK"))).isEqualTo("OK");
    assertThat(others).noneMatch(CompletableFuture::isDone);
    mayEnd.countDown();
    assertThat(get(hung)).isEqualTo("held");
    assertThat(others).allMatch(call -> get(call).equals("held"));
  }

  @Test
  void callsThatOnlyReadAreNotJoined() {
    Message list = ListVolumesRequest.getDefaultInstance();
    CompletableFuture<String> first = hastyCalls.start(list, held(begun, mayEnd));
    Calls.await(begun);
    assertThat(get(hastyCalls.here(list, () -> "fresh"))).isEqualTo("fresh");
    mayEnd.countDown();
    assertThat(get(first)).isEqualTo("held");
  }

  private static Message unpublish(String volume, String target) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setTargetPath(target)
        .build();
  }

  private static Message snapshot(String name) {
    return CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId("vol-1").build();
  }

  private static Message stats(String volume) {
    return NodeGetVolumeStatsRequest.newBuilder()
        .setVolumeId(volume)
        .setVolumePath("/pods/1")
        .build();
  }
}
