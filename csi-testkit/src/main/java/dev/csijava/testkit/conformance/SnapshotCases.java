package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import java.util.List;

/** CreateSnapshot and DeleteSnapshot. */
final class SnapshotCases implements CaseGroup {
  private static final int CALLERS = 6;
  private static final String MADE_UP = "csi-testkit-made-up-key";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-SNAP-002",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> create(c, snapshot(c, volume).setName("")));
            }),
        Case.of("CTRL-SNAP-003", c -> c.refused(() -> create(c, c.requests().snapshot("")))),
        Case.of(
            "CTRL-SNAP-004",
            c -> c.refused(() -> create(c, c.requests().snapshot(c.requests().unknownId())))),
        Case.of(
            "create-snapshot",
            "A snapshot is made, and its answer is complete and stays the same",
            SnapshotCases::answer,
            "CTRL-SNAP-001",
            "CTRL-SNAP-005",
            "CTRL-SNAP-013",
            "CTRL-SNAP-014",
            "CTRL-SNAP-015",
            "CTRL-SNAP-016",
            "CTRL-SNAP-018",
            "CTRL-SNAP-020",
            "CTRL-SNAP-023"),
        Case.of(
            "CTRL-SNAP-006",
            c -> {
              Volume one = c.make().volume();
              Volume other = c.make().volume();
              CreateSnapshotRequest.Builder request = snapshot(c, one);
              CreateSnapshotRequest first = request.build();
              Snapshot snapshot = c.make().snapshot(first);
              c.refused(() -> create(c, request.setSourceVolumeId(other.getVolumeId())));
              Kept.snapshot(c, first, snapshot);
            }),
        Case.of(
            "CTRL-SNAP-009",
            c -> {
              Volume volume = c.make().volume();
              String name = Texts.filled(c.name(), 128);
              c.ok(() -> create(c, snapshot(c, volume).setName(name)));
            }),
        Case.of(
            "CTRL-SNAP-010",
            c -> {
              Volume volume = c.make().volume();
              for (String odd : Texts.ALLOWED) {
                String name = Texts.fitted(c.name() + odd);
                c.ok(() -> create(c, snapshot(c, volume).setName(name)));
              }
            }),
        Case.of(
            "CTRL-SNAP-011",
            c -> {
              Volume volume = c.make().volume();
              for (String banned : Texts.BANNED) {
                c.refused(() -> create(c, snapshot(c, volume).setName(c.name() + banned + "x")));
              }
            }),
        Case.of(
            "CTRL-SNAP-012",
            c -> {
              Volume volume = c.make().volume();
              Outcome<Snapshot> outcome =
                  Outcome.of(() -> create(c, snapshot(c, volume).putParameters(MADE_UP, "x")));
              c.need(!outcome.ok(), "the driver takes any parameter");
              c.judge("CTRL-SNAP-012", outcome, false);
            }),
        Case.of(
            "snapshot-not-ready",
            "A snapshot that is cut but not ready is answered, listed and found at once",
            SnapshotCases::notReady,
            "CTRL-SNAP-019",
            "CTRL-LISTSNAP-015",
            "CTRL-GETSNAP-005"),
        Case.of("CTRL-SNAP-007", SnapshotCases::race),
        Case.of("CTRL-DELSNAP-002", c -> c.refused(() -> delete(c, ""))),
        Case.of(
            "delete-snapshot",
            "A snapshot is deleted, and deleting it again succeeds",
            SnapshotCases::delete,
            "CTRL-DELSNAP-001",
            "CTRL-DELSNAP-003",
            "CTRL-DELSNAP-007"),
        Case.of("CTRL-DELSNAP-005", SnapshotCases::inUse),
        Case.of("CTRL-DELSNAP-006", SnapshotCases::deleteRace),
        Case.of(
            "delete-volume-with-snapshots",
            "A volume is deleted apart from its snapshots, or not at all",
            SnapshotCases::volumeGoesFirst,
            "CTRL-DELETE-006",
            "CTRL-DELETE-007",
            "CTRL-DELETE-008",
            "CTRL-DELETE-009"));
  }

  private static void answer(CaseContext c) {
    Volume volume = c.make().volume();
    CreateSnapshotRequest.Builder request = snapshot(c, volume);
    Snapshot first = c.ok("CTRL-SNAP-001", () -> create(c, request));
    c.check(
        "CTRL-SNAP-013",
        !first.getSnapshotId().isEmpty()
            && !first.getSourceVolumeId().isEmpty()
            && first.hasCreationTime(),
        "snapshot_id, source_volume_id and creation_time",
        first);
    c.same("CTRL-SNAP-014", volume.getVolumeId(), first.getSourceVolumeId());
    Snapshot other = c.ok("CTRL-SNAP-001", () -> create(c, snapshot(c, volume)));
    c.check(
        "CTRL-SNAP-014",
        !first.getSnapshotId().equals(other.getSnapshotId()),
        "an id of its own for each snapshot",
        first.getSnapshotId() + " twice");
    c.check("CTRL-SNAP-016", first.getSizeBytes() >= 0, "no negative size", first.getSizeBytes());
    if (first.getReadyToUse()) {
      c.check("CTRL-SNAP-018", true, "", "");
    } else {
      c.skip("CTRL-SNAP-018", "the driver works on a snapshot after the cut");
    }
    for (int i = 1; i < c.settings().repetitions(); i++) {
      Snapshot again = c.ok("CTRL-SNAP-005", () -> create(c, request));
      c.same("CTRL-SNAP-005", first.getSnapshotId(), again.getSnapshotId());
      c.same("CTRL-SNAP-015", first.getCreationTime(), again.getCreationTime());
    }
    Snapshot ready =
        Patience.until(
            c.settings().callTimeout(),
            () -> c.ok("CTRL-SNAP-005", () -> create(c, request)),
            Snapshot::getReadyToUse);
    c.check(
        "CTRL-SNAP-020",
        ready.getReadyToUse(),
        "ready in the end, in " + c.settings().callTimeout().toSeconds() + " s (--call-timeout)",
        ready);
    c.same("CTRL-SNAP-023", "", first.getGroupSnapshotId());
    c.ok("CTRL-SNAP-023", () -> delete(c, first.getSnapshotId()));
  }

  private static void notReady(CaseContext c) {
    Volume volume = c.make().volume();
    CreateSnapshotRequest.Builder request = snapshot(c, volume);
    Snapshot cut = c.prepare(() -> create(c, request));
    c.need(!cut.getReadyToUse(), "a snapshot of this driver is ready when it is cut");
    c.check("CTRL-SNAP-019", !cut.getSnapshotId().isEmpty(), "an id", "an empty snapshot_id");
    if (c.applies("CTRL-LISTSNAP-015")) {
      List<Snapshot> listed = byId(c, cut.getSnapshotId());
      c.check("CTRL-LISTSNAP-015", listed.size() == 1, "the snapshot, ready or not", listed);
    }
    if (c.applies("CTRL-GETSNAP-005")) {
      Snapshot got =
          c.ok("CTRL-GETSNAP-005", () -> ListSnapshotsCases.get(c, cut.getSnapshotId()))
              .getSnapshot();
      c.same("CTRL-GETSNAP-005", cut.getSnapshotId(), got.getSnapshotId());
    }
  }

  private static void race(CaseContext c) {
    Volume volume = c.make().volume();
    CreateSnapshotRequest.Builder request = snapshot(c, volume);
    List<Outcome<Snapshot>> outcomes = c.together(CALLERS, () -> create(c, request));
    Snapshot settled = c.make().snapshot(request.build());
    for (Outcome<Snapshot> outcome : outcomes) {
      if (outcome.ok()) {
        c.same("CTRL-SNAP-007", settled.getSnapshotId(), outcome.answer().getSnapshotId());
      } else {
        c.judge("CTRL-SNAP-007", outcome, false);
      }
    }
  }

  private static void delete(CaseContext c) {
    Volume volume = c.make().volume();
    String id = c.make().snapshot(volume).getSnapshotId();
    c.ok("CTRL-DELSNAP-001", () -> delete(c, id));
    c.ok("CTRL-DELSNAP-003", () -> delete(c, id));
    c.ok("CTRL-DELSNAP-003", () -> delete(c, c.requests().unknownId()));
    for (String unknown : Texts.ODD_IDS) {
      c.ok("CTRL-DELSNAP-003", () -> delete(c, unknown));
    }
    Outcome<Volume> restored = Outcome.of(() -> CreateVolumeCases.createVolume(c, from(c, id)));
    c.check(
        "CTRL-DELSNAP-007",
        !restored.ok() && Codes.answered(restored.code()),
        "no volume from a deleted snapshot",
        restored);
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      boolean listed = !byId(c, id).isEmpty();
      c.check("CTRL-DELSNAP-007", !listed, "not listed", "listed");
    }
  }

  private static void inUse(CaseContext c) {
    Volume volume = c.make().volume();
    Snapshot snapshot = c.make().snapshot(volume);
    c.make().volume(from(c, snapshot.getSnapshotId()).build());
    Outcome<DeleteSnapshotResponse> outcome = Outcome.of(() -> delete(c, snapshot.getSnapshotId()));
    c.need(!outcome.ok(), "no volume of this driver needs the snapshot that it was made from");
    c.judge("CTRL-DELSNAP-005", outcome, false);
    CreateVolumeRequest.Builder again = from(c, snapshot.getSnapshotId());
    c.ok(() -> CreateVolumeCases.createVolume(c, again));
  }

  private static void deleteRace(CaseContext c) {
    Volume volume = c.make().volume();
    String id = c.make().snapshot(volume).getSnapshotId();
    for (Outcome<DeleteSnapshotResponse> outcome : c.together(CALLERS, () -> delete(c, id))) {
      if (outcome.ok()) {
        c.check("CTRL-DELSNAP-006", true, "", "");
      } else {
        c.judge("CTRL-DELSNAP-006", outcome, false);
      }
    }
  }

  private static void volumeGoesFirst(CaseContext c) {
    Volume volume = c.make().volume();
    Snapshot snapshot = c.make().snapshot(volume);
    var outcome = Outcome.of(() -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    CreateVolumeRequest.Builder restore = from(c, snapshot.getSnapshotId());
    if (outcome.ok()) {
      c.skip("CTRL-DELETE-006", "the driver deletes volumes apart from their snapshots");
      c.check("CTRL-DELETE-009", true, "", "");
      c.ok("CTRL-DELETE-007", () -> CreateVolumeCases.createVolume(c, restore));
      if (c.applies("CTRL-DELETE-008")) {
        List<Snapshot> listed = byId(c, snapshot.getSnapshotId());
        c.check("CTRL-DELETE-008", !listed.isEmpty(), "the snapshot in the list", listed);
      }
    } else {
      c.judge("CTRL-DELETE-006", outcome, false);
      c.ok("CTRL-DELETE-006", () -> CreateVolumeCases.createVolume(c, restore));
      c.ok("CTRL-DELETE-006", () -> ValidateCases.validate(c, volume, c.requests().capability()));
      for (String row : List.of("CTRL-DELETE-007", "CTRL-DELETE-008", "CTRL-DELETE-009")) {
        c.skip(row, "the driver does not delete a volume that has snapshots");
      }
    }
  }

  private static List<Snapshot> byId(CaseContext c, String id) {
    return ListSnapshotsCases.all(c, ListSnapshotsRequest.newBuilder().setSnapshotId(id));
  }

  static CreateVolumeRequest.Builder from(CaseContext c, String snapshotId) {
    return c.requests().volume().setVolumeContentSource(Requests.fromSnapshot(snapshotId));
  }

  private static CreateSnapshotRequest.Builder snapshot(CaseContext c, Volume volume) {
    return c.requests().snapshot(volume.getVolumeId());
  }

  private static Snapshot create(CaseContext c, CreateSnapshotRequest.Builder request) {
    return c.controller().createSnapshot(request.build()).getSnapshot();
  }

  static DeleteSnapshotResponse delete(CaseContext c, String id) {
    return c.controller()
        .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
  }
}
