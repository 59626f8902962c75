package dev.csijava.hostpath.controller;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.Policies;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import io.grpc.Status;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostpathListingTest {
  private static final FakeCall CALL = new FakeCall();
  private static final SnapshotMessages MESSAGES = new SnapshotMessages(List.of());
  private final TestState test = new TestState();
  private final NodeTopology topology = new NodeTopology("node-1");
  private final HostpathListing listing =
      new HostpathListing(test.state().volumes(), topology, Policies.UNATTACHED);
  private final HostpathSnapshots snapshots =
      new HostpathSnapshots(
          test.state(), test.data(1L << 40), topology, MESSAGES, TestState.clock());
  private final HostpathSnapshotListing snapshotListing =
      new HostpathSnapshotListing(test.state().snapshots(), MESSAGES);

  @AfterEach
  void close() {
    test.close();
  }

  private Record volume(String name, String context) {
    Record draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(Requests.SIZE)
            .setBacking(Backing.DIRECTORY)
            .setVolume(VolumeDetails.newBuilder().putContext("note", context))
            .build();
    return test.state().volumes().create(draft, Files::createDirectory);
  }

  private List<String> volumes(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(volume("volume " + i, "").getId());
    }
    ids.sort(null);
    return ids;
  }

  private ListVolumesResponse list(int maxEntries, String token) {
    return listing.listVolumes(
        ListVolumesRequest.newBuilder().setMaxEntries(maxEntries).setStartingToken(token).build(),
        CALL);
  }

  private static List<String> ids(ListVolumesResponse page) {
    return page.getEntriesList().stream().map(entry -> entry.getVolume().getVolumeId()).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void pagesTogetherHoldEachVolumeOnceInTheOrderOfIds(int size) {
    List<String> all = volumes(5);
    List<String> seen = new ArrayList<>();
    String token = "";
    int pages = 0;
    do {
      ListVolumesResponse page = list(size, token);
      assertThat(page.getEntriesCount()).isBetween(1, size);
      assertThat(page.getEntriesList()).allMatch(ListVolumesResponse.Entry::hasStatus);
      seen.addAll(ids(page));
      token = page.getNextToken();
      pages++;
    } while (!token.isEmpty());

    assertThat(seen).isEqualTo(all);
    assertThat(pages).isEqualTo((5 + size - 1) / size);
  }

  @Test
  void aTokenStaysGoodWhenItsVolumeAndAllBehindItAreDeleted() {
    volumes(3);
    String token = list(2, "").getNextToken();
    test.state().volumes().after(null).toList().forEach(test.state().volumes()::delete);

    ListVolumesResponse page = list(2, token);

    assertThat(page.getEntriesCount()).isZero();
    assertThat(page.getNextToken()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "invalid-token", "dm9sLTE", "ü", "\0", "AAAA"})
  void aTokenThatWasNotHandedOutIsAborted(String token) {
    assertFails(Status.Code.ABORTED, () -> list(0, token));
    assertFails(
        Status.Code.ABORTED,
        () ->
            snapshotListing.listSnapshots(
                ListSnapshotsRequest.newBuilder().setStartingToken(token).build(), CALL));
  }

  @Test
  void aTokenOfOneListIsNoneOfTheOther() {
    volumes(2);
    String token = list(1, "").getNextToken();

    assertFails(
        Status.Code.ABORTED,
        () ->
            snapshotListing.listSnapshots(
                ListSnapshotsRequest.newBuilder().setStartingToken(token).build(), CALL));
  }

  @Test
  void aNegativeNumberOfEntriesIsInvalid() {
    assertFails(Status.Code.INVALID_ARGUMENT, () -> list(-1, ""));
  }

  @Test
  void aReplyNeverPassesThreeMebibytes() {
    for (int i = 0; i < 4; i++) {
      volume("large " + i, "x".repeat(1 << 20));
    }

    ListVolumesResponse page = list(0, "");

    assertThat(page.getEntriesCount()).isEqualTo(2);
    assertThat(page.getSerializedSize()).isLessThan(3 << 20);
    assertThat(ids(list(0, page.getNextToken()))).hasSize(2);
  }

  @Test
  void oneVolumeIsFoundByItsIdOnly() {
    String id = volume("one", "").getId();

    var found =
        listing.controllerGetVolume(
            ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build(), CALL);

    assertThat(found.getVolume().getVolumeId()).isEqualTo(id);
    assertThat(found.hasStatus()).isTrue();
    for (String unknown : List.of("", "one", "../" + id, "/", "a\0b", "x".repeat(300), "ü")) {
      assertFails(
          Status.Code.NOT_FOUND,
          () ->
              listing.controllerGetVolume(
                  ControllerGetVolumeRequest.newBuilder().setVolumeId(unknown).build(), CALL));
    }
  }

  private Snapshot cut(CreateSnapshotRequest.Builder request) {
    return snapshots.createSnapshot(request.build(), CALL).getSnapshot();
  }

  @Test
  void aSnapshotIsReadyAtOnceHasTheSizeOfItsSourceAndKeepsItsTime() {
    String volume = volume("one", "").getId();

    Snapshot snapshot = cut(Requests.snapshot("snap", volume));

    assertThat(snapshot.getSnapshotId()).matches("snap-[0-9a-f]{32}");
    assertThat(snapshot.getSourceVolumeId()).isEqualTo(volume);
    assertThat(snapshot.getSizeBytes()).isEqualTo(Requests.SIZE);
    assertThat(snapshot.getReadyToUse()).isTrue();
    assertThat(snapshot.getCreationTime().getSeconds()).isEqualTo(TestState.NOW.getEpochSecond());
    assertThat(cut(Requests.snapshot("snap", volume).putSecrets("a", "b"))).isEqualTo(snapshot);
  }

  @Test
  void aSnapshotNameBelongsToOneSource() {
    String volume = volume("one", "").getId();
    String other = volume("other", "").getId();
    cut(Requests.snapshot("snap", volume));

    assertFails(Status.Code.ALREADY_EXISTS, () -> cut(Requests.snapshot("snap", other)));
    assertFails(Status.Code.NOT_FOUND, () -> cut(Requests.snapshot("new", "../" + other)));
    assertThat(test.names("snapshots")).hasSize(1);
  }

  @Test
  void snapshotsAreListedByEveryFilter() {
    String one = volume("one", "").getId();
    String two = volume("two", "").getId();
    String a = cut(Requests.snapshot("a", one)).getSnapshotId();
    String b = cut(Requests.snapshot("b", one)).getSnapshotId();
    String c = cut(Requests.snapshot("c", two)).getSnapshotId();

    assertThat(listed("", "")).containsExactlyInAnyOrder(a, b, c).isSorted();
    assertThat(listed(one, "")).containsExactlyInAnyOrder(a, b);
    assertThat(listed("", c)).containsExactly(c);
    assertThat(listed(one, c)).isEmpty();
    assertThat(listed("nobody", "")).isEmpty();
    assertThat(listed("", "../" + c)).isEmpty();
  }

  private List<String> listed(String volumeId, String snapshotId) {
    return snapshotListing
        .listSnapshots(
            ListSnapshotsRequest.newBuilder()
                .setSourceVolumeId(volumeId)
                .setSnapshotId(snapshotId)
                .build(),
            CALL)
        .getEntriesList()
        .stream()
        .map(entry -> entry.getSnapshot().getSnapshotId())
        .toList();
  }

  @Test
  void aDeletedSnapshotIsGoneAndDeletingItAgainIsOk() {
    Snapshot snapshot = cut(Requests.snapshot("snap", volume("one", "").getId()));
    GetSnapshotRequest get =
        GetSnapshotRequest.newBuilder().setSnapshotId(snapshot.getSnapshotId()).build();
    assertThat(snapshotListing.getSnapshot(get, CALL).getSnapshot()).isEqualTo(snapshot);
    DeleteSnapshotRequest delete =
        DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot.getSnapshotId()).build();

    snapshots.deleteSnapshot(delete, CALL);
    snapshots.deleteSnapshot(delete, CALL);
    snapshots.deleteSnapshot(delete.toBuilder().setSnapshotId("../snapshots").build(), CALL);

    assertFails(Status.Code.NOT_FOUND, () -> snapshotListing.getSnapshot(get, CALL));
    assertThat(listed("", "")).isEmpty();
  }

  private GetCapacityResponse capacity(long free, GetCapacityRequest.Builder request) {
    return new HostpathCapacity(
            () -> free,
            new VolumeSizes(1000, 1000),
            topology,
            new Promises(Map.of(), test.state().volumes()))
        .getCapacity(request.build(), CALL);
  }

  @Test
  void capacityIsWhatIsFreeButNeverMoreThanTheLargestVolume() {
    GetCapacityRequest.Builder any =
        GetCapacityRequest.newBuilder().putParameters("csi.storage.k8s.io/fstype", "ext4");

    assertThat(capacity(500, any).getAvailableCapacity()).isEqualTo(500);
    assertThat(capacity(5000, any).getAvailableCapacity()).isEqualTo(1000);
    assertThat(capacity(5000, any).getMaximumVolumeSize().getValue()).isEqualTo(1000);
    assertThat(capacity(5000, any).getMinimumVolumeSize().getValue()).isEqualTo(1);
  }

  @Test
  void thereIsNoRoomForWhatCantBeServed() {
    Topology elsewhere = Topology.newBuilder().putSegments(NodeTopology.KEY, "node-2").build();
    assertThat(
            capacity(500, GetCapacityRequest.newBuilder().setAccessibleTopology(elsewhere))
                .getAvailableCapacity())
        .isZero();
    assertThat(
            capacity(500, GetCapacityRequest.newBuilder().addVolumeCapabilities(Requests.block()))
                .getAvailableCapacity())
        .isZero();
    assertThat(
            capacity(
                    500,
                    GetCapacityRequest.newBuilder()
                        .setAccessibleTopology(topology.accessible().getFirst()))
                .getAvailableCapacity())
        .isEqualTo(500);
  }

  @Test
  void roomThatCantBeAskedForIsUnavailableAndSaysSo() {
    HostpathCapacity capacity =
        new HostpathCapacity(
            () -> {
              throw CsiException.internal("Input/output error", null);
            },
            new VolumeSizes(1000, 1000),
            topology,
            new Promises(Map.of(), test.state().volumes()));

    assertThat(
            assertFails(
                Status.Code.UNAVAILABLE,
                () -> capacity.getCapacity(GetCapacityRequest.getDefaultInstance(), CALL)))
        .hasMessageContaining("file system of the state directory");
  }
}
