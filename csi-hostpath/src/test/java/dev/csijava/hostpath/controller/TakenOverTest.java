package dev.csijava.hostpath.controller;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.GroupStore;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import io.grpc.Status.Code;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TakenOverTest {
  private final TestState test = new TestState();
  private final TakenOver takenOver = new TakenOver(test.state());

  @AfterEach
  void close() {
    test.close();
  }

  private Record volume(VolumeDetails details) {
    Record draft =
        Record.newBuilder()
            .setName("pvc")
            .setId("go-1")
            .setSizeBytes(Requests.SIZE)
            .setBacking(Backing.DIRECTORY)
            .setVolume(details)
            .build();
    return test.state().volumes().create(draft, Files::createDirectory);
  }

  @Test
  void theFirstRepeatFindsTheVolumeAndCompletesItsRecord() {
    volume(VolumeDetails.getDefaultInstance());
    CreateVolumeRequest request =
        Requests.create("pvc")
            .putParameters("kind", "fast")
            .putMutableParams("tier", "gold")
            .build();

    Record found = takenOver.volume(request, Backing.DIRECTORY).orElseThrow();

    assertThat(found.getId()).isEqualTo("go-1");
    assertThat(found.getVolume().getContextMap()).containsEntry("kind", "fast");
    assertThat(found.getVolume().getAttributesMap()).containsEntry("tier", "gold");
    assertThat(test.restart().volumes().byId("go-1")).contains(found);
    // From now on it is compared by its request, like any other.
    assertThat(new TakenOver(test.state()).volume(request, Backing.DIRECTORY)).isEmpty();
  }

  @Test
  void anyContextIsThatOfAVolumeWhoseRequestIsNotKnownYet() {
    Record volume = volume(VolumeDetails.getDefaultInstance());
    VolumeContexts.requireOwn(volume, Map.of("kind", "fast"));
    CreateVolumeRequest request = Requests.create("pvc").putParameters("kind", "fast").build();

    Record known = takenOver.volume(request, Backing.DIRECTORY).orElseThrow();

    VolumeContexts.requireOwn(known, Map.of("kind", "fast"));
    assertFails(
        Code.INVALID_ARGUMENT, () -> VolumeContexts.requireOwn(known, Map.of("kind", "slow")));
  }

  @Test
  void anotherSizeOrAccessTypeOrSourceIsAnotherVolume() {
    VolumeDetails.Builder details = VolumeDetails.newBuilder();
    details.getSourceBuilder().getVolumeBuilder().setVolumeId("parent");
    volume(details.build());
    CreateVolumeRequest request =
        Requests.create("pvc").setVolumeContentSource(Requests.fromVolume("parent")).build();
    CreateVolumeRequest.Builder larger = request.toBuilder();
    larger.getCapacityRangeBuilder().setRequiredBytes(Requests.SIZE + 1);

    assertFails(Code.ALREADY_EXISTS, () -> takenOver.volume(larger.build(), Backing.DIRECTORY));
    assertFails(Code.ALREADY_EXISTS, () -> takenOver.volume(request, Backing.BLOCK));
    assertFails(
        Code.ALREADY_EXISTS,
        () -> takenOver.volume(Requests.create("pvc").build(), Backing.DIRECTORY));
    assertThat(takenOver.volume(request, Backing.DIRECTORY)).isPresent();
  }

  @Test
  void aSnapshotIsComparedByItsVolume() {
    Record draft =
        Record.newBuilder()
            .setName("snap")
            .setSizeBytes(1)
            .setBacking(Backing.DIRECTORY)
            .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("go-1"))
            .build();
    Record snapshot = test.state().snapshots().create(draft, Files::createDirectory);

    assertFails(
        Code.ALREADY_EXISTS, () -> takenOver.snapshot(Requests.snapshot("snap", "go-2").build()));
    Record found = takenOver.snapshot(Requests.snapshot("snap", "go-1").build()).orElseThrow();
    assertThat(found.getId()).isEqualTo(snapshot.getId());
    assertThat(found.getSnapshot().hasRequest()).isTrue();
  }

  @Test
  void aGroupIsComparedByTheVolumesOfItsMembers() {
    Record member =
        Record.newBuilder()
            .setSizeBytes(1)
            .setBacking(Backing.DIRECTORY)
            .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId("go-1"))
            .build();
    Record group =
        test.state()
            .groups()
            .create(
                Record.newBuilder()
                    .setName("group")
                    .setGroup(GroupDetails.getDefaultInstance())
                    .build(),
                List.of(new GroupStore.Member(member, Files::createDirectory)));
    CreateVolumeGroupSnapshotRequest.Builder request =
        CreateVolumeGroupSnapshotRequest.newBuilder().setName("group").addSourceVolumeIds("go-1");

    assertThat(takenOver.group(request.build())).contains(group);
    assertFails(
        Code.ALREADY_EXISTS, () -> takenOver.group(request.addSourceVolumeIds("go-2").build()));
  }
}
