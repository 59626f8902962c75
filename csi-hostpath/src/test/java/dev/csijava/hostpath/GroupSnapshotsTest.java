package dev.csijava.hostpath;

import static dev.csijava.hostpath.DriverOnFakes.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupSnapshotsTest {
  private DriverOnFakes driver;
  private String one;
  private String two;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    driver = new DriverOnFakes(directory);
    one = driver.create("one").getVolumeId();
    two = driver.create("two").getVolumeId();
  }

  @AfterEach
  void stop() throws IOException {
    driver.close();
  }

  private static CreateVolumeGroupSnapshotRequest.Builder request(String... volumes) {
    return CreateVolumeGroupSnapshotRequest.newBuilder()
        .setName("group")
        .addAllSourceVolumeIds(List.of(volumes));
  }

  private VolumeGroupSnapshot create(CreateVolumeGroupSnapshotRequest.Builder request) {
    return driver.groups().createVolumeGroupSnapshot(request.build()).getGroupSnapshot();
  }

  private static List<String> ids(VolumeGroupSnapshot group) {
    return group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
  }

  private List<Snapshot> listed() {
    return driver
        .controller()
        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(ListSnapshotsResponse.Entry::getSnapshot)
        .toList();
  }

  /** GROUP-CREATE-005, -011, -012, -013, -015; a repeat names the volumes in another order. */
  @Test
  void aGroupHasOneSnapshotOfEachVolumeAndIsFoundByARepeat() throws IOException {
    VolumeGroupSnapshot group = create(request(one, two));

    assertThat(group.getSnapshotsList())
        .extracting(Snapshot::getSourceVolumeId)
        .containsExactlyInAnyOrder(one, two);
    assertThat(group.getReadyToUse()).isTrue();
    driver.restart();
    assertThat(create(request(two, one))).isEqualTo(group);
    assertThat(listed()).hasSize(2);
  }

  /** GROUP-CREATE-006, -007, -023 and what names a volume twice. */
  @Test
  void anotherRequestByTheSameNameIsRefused() {
    create(request(one, two));

    assertFails(Status.Code.ALREADY_EXISTS, () -> create(request(one)));
    assertFails(
        Status.Code.ALREADY_EXISTS, () -> create(request(one, two).putParameters("a", "b")));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> create(request(one, one).setName("other")));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> create(request(one).setName("other").putParameters("ignoreFailedRead", "perhaps")));
  }

  @Test
  @DisplayName("GROUP-CREATE-004; the Go driver leaves the members that it cut before it failed")
  void aVolumeThatDoesNotExistLeavesNothing() {
    assertFails(Status.Code.NOT_FOUND, () -> create(request(one, "vol-none")));

    assertThat(listed()).isEmpty();
  }

  @Test
  @DisplayName("GROUP-CREATE-018, -019; the Go driver leaves the members that it cut")
  void aVolumeThatCantBeReadLeavesNothing() throws IOException {
    try (var folders = Files.list(driver.root().resolve("state/volumes"))) {
      Files.delete(folders.sorted().toList().getLast().resolve("data"));
    }

    assertFails(Status.Code.INTERNAL, () -> create(request(one, two)));

    assertThat(listed()).isEmpty();
    for (String folder : new String[] {"groups", "snapshots", "pending"}) {
      assertThat(driver.root().resolve("state").resolve(folder)).isEmptyDirectory();
    }
  }

  @Test
  @DisplayName("the Go driver's GetSnapshot omits the group id")
  void aMemberNamesItsGroupWhereverItIsSeen() {
    VolumeGroupSnapshot group = create(request(one, two));

    assertThat(listed()).containsExactlyInAnyOrderElementsOf(group.getSnapshotsList());
    for (Snapshot member : group.getSnapshotsList()) {
      assertThat(member.getGroupSnapshotId()).isEqualTo(group.getGroupSnapshotId());
      assertThat(
              driver
                  .controller()
                  .getSnapshot(
                      GetSnapshotRequest.newBuilder().setSnapshotId(member.getSnapshotId()).build())
                  .getSnapshot())
          .isEqualTo(member);
    }
  }

  /** CTRL-DELSNAP-004. */
  @Test
  void aMemberIsNotDeletedByItself() {
    VolumeGroupSnapshot group = create(request(one, two));

    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () ->
            driver
                .controller()
                .deleteSnapshot(
                    DeleteSnapshotRequest.newBuilder().setSnapshotId(ids(group).get(0)).build()));
    assertThat(listed()).hasSize(2);
  }

  /** GROUP-CREATE-020. */
  @Test
  void aMemberIsRestored() throws IOException {
    Files.writeString(
        driver.root().resolve("state/volumes").resolve(one).resolve("data/file"), "x");
    VolumeGroupSnapshot group = create(request(one));
    String restored =
        driver
            .controller()
            .createVolume(
                Requests.create("restored")
                    .setVolumeContentSource(Requests.fromSnapshot(ids(group).getFirst()))
                    .build())
            .getVolume()
            .getVolumeId();

    assertThat(driver.root().resolve("state/volumes").resolve(restored).resolve("data/file"))
        .hasContent("x");
  }

  private VolumeGroupSnapshot get(String id, List<String> members) {
    return driver
        .groups()
        .getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addAllSnapshotIds(members)
                .build())
        .getGroupSnapshot();
  }

  private void delete(String id, List<String> members) {
    var _ =
        driver
            .groups()
            .deleteVolumeGroupSnapshot(
                DeleteVolumeGroupSnapshotRequest.newBuilder()
                    .setGroupSnapshotId(id)
                    .addAllSnapshotIds(members)
                    .build());
  }

  @Test
  @DisplayName("GROUP-GET-003, -004, -005; GROUP-DELETE-003, -006; the Go driver ignores the ids")
  void aGroupIsNamedWithItsMembers() {
    VolumeGroupSnapshot group = create(request(one, two));
    String id = group.getGroupSnapshotId();

    assertThat(get(id, ids(group).reversed())).isEqualTo(group);
    for (List<String> wrong :
        List.of(List.<String>of(), ids(group).subList(0, 1), List.of("a", "b"))) {
      assertFails(Status.Code.INVALID_ARGUMENT, () -> get(id, wrong));
      assertFails(Status.Code.INVALID_ARGUMENT, () -> delete(id, wrong));
    }
    assertFails(Status.Code.NOT_FOUND, () -> get("group-none", List.of()));
    assertThat(listed()).hasSize(2);
  }

  /** GROUP-DELETE-004, -005. */
  @Test
  void aDeletedGroupIsGoneWithItsMembers() throws IOException {
    VolumeGroupSnapshot group = create(request(one, two));

    delete(group.getGroupSnapshotId(), ids(group));
    delete(group.getGroupSnapshotId(), ids(group));
    delete("group-none", List.of());

    assertThat(listed()).isEmpty();
    driver.restart();
    assertThat(listed()).isEmpty();
    assertThat(create(request(one, two)).getGroupSnapshotId())
        .as("the name gets a new id")
        .isNotEqualTo(group.getGroupSnapshotId());
  }

  /** Its members are served, and nothing but the group can delete them. */
  @Test
  void aGroupWhoseRecordIsBrokenIsNotCalledDeleted() throws IOException {
    VolumeGroupSnapshot group = create(request(one, two));
    String id = group.getGroupSnapshotId();
    Files.writeString(driver.root().resolve("state/groups").resolve(id).resolve("record"), "?");
    driver.restart();

    assertFails(Status.Code.FAILED_PRECONDITION, () -> delete(id, ids(group)));

    assertThat(listed()).hasSize(2);
  }
}
