package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What the snapshotter and the snapshot-metadata sidecar do. */
final class SnapshotterCases implements CaseGroup {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-snapshotter",
            "A snapshot is made and deleted as the snapshotter does it",
            SnapshotterCases::dynamic,
            "ENGINE-CALLER-010",
            "GEN-TIME-001"),
        Case.of(
            "engine-callers-snapshotter-static",
            "A snapshot that was there before is found and restored",
            SnapshotterCases::preProvisioned,
            "ENGINE-CALLER-011"),
        Case.of(
            "engine-callers-snapshotter-group",
            "A group is made and deleted as the snapshotter does it",
            SnapshotterCases::group,
            "ENGINE-CALLER-012"),
        Case.of(
            "engine-callers-snapshot-metadata",
            "Metadata is streamed, broken off and gone on with",
            SnapshotterCases::metadata,
            "ENGINE-CALLER-013"));
  }

  private static void pluginInfo(CaseContext c, String row) {
    c.ok(row, () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
  }

  private static void dynamic(CaseContext context) {
    String row = "ENGINE-CALLER-010";
    CaseContext c = context.calling(false, TIMEOUT);
    Volume volume = c.make().volume();
    Snapshot snapshot = cut(c, row, volume);
    c.check("GEN-TIME-001", snapshot.getReadyToUse(), "one snapshot", snapshot);
    delete(c, row, snapshot);
  }

  /** Gives the first call up, and repeats it until the snapshot is ready. */
  static Snapshot cut(CaseContext c, String row, Volume volume) {
    pluginInfo(c, row);
    CreateSnapshotRequest request =
        c.requests()
            .snapshot(volume.getVolumeId())
            .setName(c.name() + "-snapshot-" + UUID.randomUUID())
            .build();
    CaseContext impatient = Retries.impatient(c);
    Outcome.of(() -> impatient.controller().createSnapshot(request));
    Snapshot first =
        Retries.answer(c, row, () -> c.controller().createSnapshot(request)).getSnapshot();
    Snapshot ready = c.make().snapshot(request);
    c.check(row, ready.getReadyToUse(), "ready_to_use in the end", ready);
    c.same(row, first.getSnapshotId(), ready.getSnapshotId());
    c.same(row, first.getCreationTime(), ready.getCreationTime());
    return ready;
  }

  static void delete(CaseContext c, String row, Snapshot snapshot) {
    String id = snapshot.getSnapshotId();
    Retries.answer(c, row, () -> SnapshotCases.delete(c, id));
    Retries.answer(c, row, () -> SnapshotCases.delete(c, id));
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      c.check(row, find(c, id).isEmpty(), "no such snapshot in the list", id);
    }
  }

  private static List<Snapshot> find(CaseContext c, String id) {
    return Listing.snapshots(c, ListSnapshotsRequest.newBuilder().setSnapshotId(id).build())
        .stream()
        .flatMap(page -> page.getEntriesList().stream())
        .map(ListSnapshotsResponse.Entry::getSnapshot)
        .toList();
  }

  private static void preProvisioned(CaseContext context) {
    String row = "ENGINE-CALLER-011";
    CaseContext c = context.calling(false, TIMEOUT);
    Volume volume = c.make().volume();
    Snapshot snapshot = c.make().snapshot(volume);
    c.make().snapshot(volume);
    c.ok(
        row,
        () ->
            c.controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance()));
    List<Snapshot> found = find(c, snapshot.getSnapshotId());
    c.same(row, 1, found.size());
    for (Snapshot one : found) {
      c.same(row, snapshot.getSnapshotId(), one.getSnapshotId());
      c.check(row, one.getReadyToUse(), "ready_to_use", one);
    }
    Volume restored =
        Retries.answer(
            c,
            row,
            () ->
                CreateVolumeCases.createVolume(
                    c, SnapshotCases.from(c, snapshot.getSnapshotId()).setName(c.name())));
    ProvisionerCases.delete(c, row, restored);
    delete(c, row, snapshot);
  }

  private static void group(CaseContext context) {
    String row = "ENGINE-CALLER-012";
    CaseContext c = context.calling(false, TIMEOUT);
    Volume one = c.make().volume();
    Volume two = c.make().volume();
    pluginInfo(c, row);
    CreateVolumeGroupSnapshotRequest request =
        c.requests()
            .group(List.of(one.getVolumeId(), two.getVolumeId()))
            .setName(c.name() + "-groupsnapshot-" + UUID.randomUUID())
            .build();
    CaseContext impatient = Retries.impatient(c);
    Outcome.of(() -> impatient.group().createVolumeGroupSnapshot(request));
    VolumeGroupSnapshot group =
        Patience.until(
            c.settings().callTimeout(),
            () ->
                Retries.answer(c, row, () -> c.group().createVolumeGroupSnapshot(request))
                    .getGroupSnapshot(),
            VolumeGroupSnapshot::getReadyToUse);
    c.check(row, group.getReadyToUse(), "ready_to_use in the end", group);
    Set<String> members = GroupCases.ids(group);
    GetVolumeGroupSnapshotRequest read =
        GetVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId(group.getGroupSnapshotId())
            .addAllSnapshotIds(members)
            .build();
    VolumeGroupSnapshot same =
        Retries.answer(c, row, () -> c.group().getVolumeGroupSnapshot(read)).getGroupSnapshot();
    c.same(row, members, GroupCases.ids(same));
    String id = group.getGroupSnapshotId();
    for (int i = 0; i < 2; i++) {
      Retries.answer(c, row, () -> GroupMemberCases.delete(c, id, List.copyOf(members)));
    }
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      for (String member : members) {
        c.check(row, find(c, member).isEmpty(), "no member in the list", member);
      }
    }
  }

  private static long end(BlockMetadata tuple) {
    return tuple.getByteOffset() + tuple.getSizeBytes();
  }

  private static void metadata(CaseContext context) {
    String row = "ENGINE-CALLER-013";
    CaseContext c = context.calling(false, TIMEOUT);
    c.needs("ctrl:CREATE_DELETE_SNAPSHOT");
    MetadataStreams streams = MetadataStreams.fresh(c);
    for (MetadataStreams.Stream stream : streams.both()) {
      List<BlockMetadata> whole = c.ok(row, () -> stream.tuples(0, 0));
      // A client that lost its connection goes on behind the last block that it got.
      List<BlockMetadata> pieces = new ArrayList<>();
      long end = whole.isEmpty() ? 0 : end(whole.get(whole.size() - 1));
      long offset = 0;
      for (int times = 0; offset < end && times <= whole.size(); times++) {
        long from = offset;
        List<BlockMetadata> rest = c.ok(row, () -> stream.tuples(from, 1));
        if (rest.isEmpty()) {
          break;
        }
        // How ranges are cut into tuples may depend on where a stream begins.
        pieces.addAll(times < whole.size() ? rest.subList(0, 1) : rest);
        offset = end(pieces.get(pieces.size() - 1));
      }
      c.same(row, ByteRanges.from(0, whole), ByteRanges.from(0, pieces));
    }
  }
}
