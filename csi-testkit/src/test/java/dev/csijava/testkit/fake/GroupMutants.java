package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.absent;
import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Broken group snapshots. */
final class GroupMutants {
  private static final String CREATE = "CreateVolumeGroupSnapshot";
  private static final String DELETE = "DeleteVolumeGroupSnapshot";
  private static final String GET = "GetVolumeGroupSnapshot";

  private GroupMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of(
            "GROUP-CAPS-003",
            "reports groups, and can't get one",
            () -> Deviations.end(GET, (r, outcome) -> Deviations.refusal(Code.UNIMPLEMENTED))),
        Mutant.of("GROUP-CREATE-001", "makes no group", () -> absent(CREATE)),
        Mutant.of(
                "GROUP-CREATE-023",
                "calls a strange parameter an inner fault",
                () -> code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Config.PARAMETERS),
        Mutant.of("GROUP-DELETE-001", "deletes no group", () -> absent(DELETE)),
        Mutant.of("GROUP-GET-001", "gets no group", () -> absent(GET)),
        Mutant.of("GROUP-CREATE-002", "gives no name", () -> accept(CREATE, "name is required")),
        Mutant.of(
            "GROUP-CREATE-003", "cuts nothing", () -> accept(CREATE, "source_volume_ids is req")),
        Mutant.of(
            "GROUP-CREATE-004", "cuts unknown volumes", () -> accept(CREATE, "there is no volume")),
        Mutant.of("GROUP-CREATE-005", "makes a second group", GroupMutants::otherId),
        Mutant.of(
            "GROUP-CREATE-006",
            "takes a group of other volumes for the same",
            () -> accept(CREATE, "made otherwise")),
        Mutant.of("GROUP-CREATE-007", "forgets parameters", () -> accept(CREATE, "made otherwise")),
        Mutant.of("GROUP-CREATE-011", "tells no time", () -> group(g -> g.clearCreationTime())),
        Mutant.of("GROUP-CREATE-012", "loses a member", () -> group(g -> g.removeSnapshots(0))),
        Mutant.of(
            "GROUP-CREATE-013",
            "has members that don't know their group",
            () -> group(g -> g.setSnapshots(0, withoutGroup(g.getSnapshots(0))))),
        Mutant.of(
                "GROUP-CREATE-014",
                "is ready before its members",
                () -> group(g -> g.setReadyToUse(true)))
            .in(Config.SLOW_SNAPSHOTS),
        Mutant.of("GROUP-CREATE-016", "is never ready", () -> group(g -> g.setReadyToUse(false)))
            .in(Config.SLOW_SNAPSHOTS),
        Mutant.of(
            "GROUP-CREATE-015",
            "is not ready though all is",
            () -> group(g -> g.setReadyToUse(false))),
        Mutant.of(
            "GROUP-CREATE-020",
            "restores no members of groups",
            () ->
                refuse(
                    "CreateVolume",
                    CreateVolumeRequest.class,
                    CreateVolumeRequest::hasVolumeContentSource,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "GROUP-CREATE-021",
            "takes ASCII only",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeGroupSnapshotRequest.class,
                    r -> r.getName().chars().anyMatch(c -> c > 127),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "GROUP-CREATE-022",
            "takes control characters",
            () -> accept(CREATE, "control character")),
        Mutant.of(
            "GROUP-DELETE-002", "deletes no group", () -> accept(DELETE, "group_snapshot_id is")),
        Mutant.of(
            "GROUP-DELETE-003", "deletes no members", () -> accept(DELETE, "snapshot_ids is req")),
        Mutant.of(
            "GROUP-DELETE-004",
            "deletes once only",
            () ->
                refuseAgain(
                    DELETE,
                    DeleteVolumeGroupSnapshotRequest.class,
                    DeleteVolumeGroupSnapshotRequest::getGroupSnapshotId,
                    Code.NOT_FOUND)),
        Mutant.of(
            "GROUP-DELETE-005",
            "says it has deleted, and has not",
            () ->
                request(
                    DELETE,
                    DeleteVolumeGroupSnapshotRequest.class,
                    r -> r.toBuilder().setGroupSnapshotId("another").build())),
        Mutant.of(
            "GROUP-DELETE-006",
            "calls wrong members an inner fault",
            () -> code(DELETE, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "GROUP-DELETE-007",
            "calls wrong members a lost state",
            () -> code(DELETE, Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION)),
        Mutant.of(
                "GROUP-DELETE-008",
                "calls a group in use an inner fault",
                () -> code(DELETE, Code.FAILED_PRECONDITION, Code.INTERNAL))
            .in(Config.PINNED),
        Mutant.of("GROUP-GET-002", "gets no group", () -> accept(GET, "group_snapshot_id is")),
        Mutant.of("GROUP-GET-003", "gets no members", () -> accept(GET, "snapshot_ids is req")),
        Mutant.of("GROUP-GET-004", "gets any group", () -> accept(GET, "there is no group")),
        Mutant.of(
            "GROUP-GET-005",
            "calls wrong members unknown",
            () -> code(GET, Code.INVALID_ARGUMENT, Code.NOT_FOUND)),
        Mutant.of(
            "GROUP-GET-006",
            "calls wrong members a lost state",
            () -> code(GET, Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION)),
        Mutant.of("GROUP-GET-007", "shows the group without its time", GroupMutants::timeless));
  }

  private static Deviation otherId() {
    AtomicInteger next = new AtomicInteger();
    return group(g -> g.setGroupSnapshotId("group-" + next.incrementAndGet()));
  }

  private static Snapshot withoutGroup(Snapshot member) {
    return member.toBuilder().clearGroupSnapshotId().build();
  }

  private static Deviation timeless() {
    UnaryOperator<GetVolumeGroupSnapshotResponse> change =
        r ->
            r.toBuilder()
                .setGroupSnapshot(r.getGroupSnapshot().toBuilder().clearCreationTime())
                .build();
    return reply(GET, GetVolumeGroupSnapshotResponse.class, change);
  }

  private static Deviation group(Consumer<VolumeGroupSnapshot.Builder> change) {
    return reply(
        CREATE,
        CreateVolumeGroupSnapshotResponse.class,
        r -> {
          VolumeGroupSnapshot.Builder builder = r.getGroupSnapshot().toBuilder();
          change.accept(builder);
          return r.toBuilder().setGroupSnapshot(builder).build();
        });
  }
}
