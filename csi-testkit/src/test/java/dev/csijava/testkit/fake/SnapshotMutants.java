package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.before;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.Snapshot;
import io.grpc.Status.Code;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Broken snapshots, and broken lists of them. */
final class SnapshotMutants {
  private static final String CREATE = "CreateSnapshot";
  private static final String DELETE = "DeleteSnapshot";
  private static final String GET = "GetSnapshot";
  private static final String LIST = "ListSnapshots";

  private SnapshotMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of("CTRL-SNAP-001", "cuts nothing", () -> absent(CREATE)),
        Mutant.of("CTRL-SNAP-002", "gives no name", () -> accept(CREATE, "name is required")),
        Mutant.of(
            "CTRL-SNAP-003",
            "cuts no volume",
            () -> accept(CREATE, "source_volume_id is required")),
        Mutant.of("CTRL-SNAP-004", "cuts what is not", () -> accept(CREATE, "there is no volume")),
        Mutant.of(
            "CTRL-SNAP-005",
            "makes a second snapshot",
            () ->
                request(
                    CREATE,
                    CreateSnapshotRequest.class,
                    r -> r.toBuilder().setName(UUID.randomUUID().toString()).build())),
        Mutant.of("CTRL-SNAP-006", "forgets the source", () -> accept(CREATE, "made otherwise")),
        Mutant.of(
            "CTRL-SNAP-009",
            "has no room for a name of 128 bytes",
            () -> refuseNames(r -> r.getName().length() >= 128)),
        Mutant.of(
            "CTRL-SNAP-010",
            "takes ASCII only",
            () -> refuseNames(r -> r.getName().chars().anyMatch(c -> c > 127))),
        Mutant.of(
            "CTRL-SNAP-011", "takes control characters", () -> accept(CREATE, "control character")),
        Mutant.of("CTRL-SNAP-013", "knows no time", () -> cut(Snapshot.Builder::clearCreationTime)),
        Mutant.of(
            "CTRL-SNAP-014", "names another source", () -> cut(s -> s.setSourceVolumeId("other"))),
        Mutant.of("CTRL-SNAP-015", "is cut anew each time", SnapshotMutants::later),
        Mutant.of("CTRL-SNAP-016", "is below zero", () -> cut(s -> s.setSizeBytes(-1))),
        Mutant.of(
            "CTRL-SNAP-023", "is always of a group", () -> cut(s -> s.setGroupSnapshotId("g"))),
        Mutant.of(
            "CTRL-SNAP-024",
            "does not name the group",
            () -> listed(s -> s.setGroupSnapshotId(""))),
        Mutant.of("CTRL-DELSNAP-001", "deletes nothing", () -> absent(DELETE)),
        Mutant.of(
            "CTRL-DELSNAP-002",
            "deletes no snapshot",
            () -> accept(DELETE, "snapshot_id is required")),
        Mutant.of(
            "CTRL-DELSNAP-003",
            "deletes once only",
            () ->
                refuseAgain(
                    DELETE,
                    DeleteSnapshotRequest.class,
                    DeleteSnapshotRequest::getSnapshotId,
                    Code.NOT_FOUND)),
        Mutant.of(
            "CTRL-DELSNAP-007",
            "says it has deleted, and has not",
            () ->
                request(
                    DELETE,
                    DeleteSnapshotRequest.class,
                    r -> r.toBuilder().setSnapshotId("another").build())),
        Mutant.of("CTRL-DELETE-007", "loses snapshots with their volume", SnapshotMutants::loses),
        Mutant.of("CTRL-LISTSNAP-001", "lists nothing", () -> absent(LIST)),
        Mutant.of(
            "CTRL-LISTSNAP-002",
            "misses one",
            () ->
                list(
                    l -> {
                      if (l.getEntriesCount() > 1) {
                        l.removeEntries(0);
                      }
                    })),
        Mutant.of(
            "CTRL-LISTSNAP-004", "knows no end of a page", () -> asked(r -> r.setMaxEntries(0))),
        Mutant.of("CTRL-LISTSNAP-005", "ends too early", () -> list(l -> l.setNextToken(""))),
        Mutant.of(
            "CTRL-LISTSNAP-007",
            "takes less than nothing",
            () -> accept(LIST, "max_entries must not be negative")),
        Mutant.of(
            "CTRL-LISTSNAP-008",
            "skips one between pages",
            () ->
                reply(
                    LIST,
                    ListSnapshotsResponse.class,
                    r -> r.getNextToken().isEmpty() ? r : r.toBuilder().removeEntries(0).build())),
        Mutant.of(
            "CTRL-LISTSNAP-009",
            "takes any token",
            () -> accept(LIST, "starting_token is none of this driver")),
        Mutant.of(
            "CTRL-LISTSNAP-011", "knows no sources", () -> asked(r -> r.clearSourceVolumeId())),
        Mutant.of("CTRL-LISTSNAP-012", "knows no ids", () -> asked(r -> r.clearSnapshotId())),
        Mutant.of(
            "CTRL-LISTSNAP-013",
            "refuses to find nothing",
            () ->
                refuse(
                    LIST,
                    ListSnapshotsRequest.class,
                    r -> r.getSnapshotId().startsWith("no-such"),
                    Code.NOT_FOUND)),
        Mutant.of(
            "CTRL-LISTSNAP-014",
            "looks at the id alone",
            () ->
                asked(
                    r -> {
                      if (!r.getSnapshotId().isEmpty()) {
                        r.clearSourceVolumeId();
                      }
                    })),
        Mutant.of("CTRL-LISTSNAP-017", "lists no times", () -> listed(s -> s.clearCreationTime())),
        Mutant.of("CTRL-GETSNAP-001", "gets nothing", () -> absent(GET)),
        Mutant.of(
            "CTRL-GETSNAP-002", "gets no snapshot", () -> accept(GET, "snapshot_id is required")),
        Mutant.of(
            "CTRL-GETSNAP-003", "gets what is not", () -> accept(GET, "there is no snapshot")),
        Mutant.of(
            "CTRL-GETSNAP-004",
            "gets half of it",
            () ->
                reply(
                    GET,
                    GetSnapshotResponse.class,
                    r ->
                        r.toBuilder()
                            .setSnapshot(r.getSnapshot().toBuilder().clearCreationTime())
                            .build())));
  }

  private static Deviation absent(String rpc) {
    return refuse(rpc, Message.class, r -> true, Code.UNIMPLEMENTED);
  }

  private static Deviation refuseNames(java.util.function.Predicate<CreateSnapshotRequest> which) {
    return refuse(CREATE, CreateSnapshotRequest.class, which, Code.INVALID_ARGUMENT);
  }

  private static Deviation cut(Consumer<Snapshot.Builder> change) {
    return reply(
        CREATE,
        CreateSnapshotResponse.class,
        r -> r.toBuilder().setSnapshot(changed(r.getSnapshot(), change)).build());
  }

  private static Snapshot changed(Snapshot snapshot, Consumer<Snapshot.Builder> change) {
    Snapshot.Builder builder = snapshot.toBuilder();
    change.accept(builder);
    return builder.build();
  }

  private static Deviation later() {
    AtomicInteger seconds = new AtomicInteger();
    return cut(
        s -> s.getCreationTimeBuilder().setSeconds(1_700_000_000L + seconds.incrementAndGet()));
  }

  private static Deviation list(Consumer<ListSnapshotsResponse.Builder> change) {
    return reply(
        LIST,
        ListSnapshotsResponse.class,
        r -> {
          ListSnapshotsResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation listed(Consumer<Snapshot.Builder> change) {
    return list(
        l -> l.getEntriesBuilderList().forEach(entry -> change.accept(entry.getSnapshotBuilder())));
  }

  private static Deviation asked(Consumer<ListSnapshotsRequest.Builder> change) {
    return request(
        LIST,
        ListSnapshotsRequest.class,
        r -> {
          ListSnapshotsRequest.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation loses() {
    return before(
        "DeleteVolume",
        DeleteVolumeRequest.class,
        (state, r) ->
            state
                .snapshots
                .values()
                .removeIf(snapshot -> snapshot.sourceVolume().equals(r.getVolumeId())));
  }
}
