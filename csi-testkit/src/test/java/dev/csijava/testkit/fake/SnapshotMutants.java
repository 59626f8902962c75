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
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
            "CTRL-SNAP-007",
            "cuts for each caller",
            () ->
                request(
                    CREATE,
                    CreateSnapshotRequest.class,
                    r -> r.toBuilder().setName(UUID.randomUUID().toString()).build())),
        Mutant.of(
            "CTRL-SNAP-007",
            "falls over several callers",
            () ->
                refuseAgain(
                    CREATE,
                    CreateSnapshotRequest.class,
                    CreateSnapshotRequest::getName,
                    Code.INTERNAL)),
        Mutant.of(
                "CTRL-SNAP-012",
                "calls a strange parameter an inner fault",
                () -> Deviations.code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Config.PARAMETERS),
        Mutant.of("CTRL-SNAP-019", "has no id before it is ready", SnapshotMutants::nameless)
            .in(Config.SLOW_SNAPSHOTS),
        Mutant.of("CTRL-SNAP-020", "is never ready", () -> cut(s -> s.setReadyToUse(false))),
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
        Mutant.of(
            "CTRL-DELSNAP-004",
            "calls a member of a group a lost state",
            () -> Deviations.code(DELETE, Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION)),
        Mutant.of(
                "CTRL-DELSNAP-005",
                "calls what is in use an inner fault",
                () -> Deviations.code(DELETE, Code.FAILED_PRECONDITION, Code.INTERNAL))
            .in(Config.PINNED),
        Mutant.of(
            "CTRL-DELSNAP-006",
            "falls over several callers",
            () ->
                refuseAgain(
                    DELETE,
                    DeleteSnapshotRequest.class,
                    DeleteSnapshotRequest::getSnapshotId,
                    Code.INTERNAL)),
        Mutant.of(
                "CTRL-DELETE-006",
                "calls a volume with snapshots an inner fault",
                () -> Deviations.code("DeleteVolume", Code.FAILED_PRECONDITION, Code.INTERNAL))
            .in(Config.VOLUMES_PINNED),
        Mutant.of(
                "CTRL-DELETE-006",
                "refuses, and deletes all the same",
                () ->
                    before(
                        "DeleteVolume",
                        DeleteVolumeRequest.class,
                        (state, r) -> state.snapshots.replaceAll((id, s) -> lost(s))))
            .in(Config.VOLUMES_PINNED),
        Mutant.of(
            "CTRL-DELETE-008",
            "lists no snapshot without its volume",
            SnapshotMutants::listedWithVolume),
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
        Mutant.of(
            "CTRL-LISTSNAP-006",
            "lists none where no number is given",
            () ->
                Deviations.end(
                    LIST,
                    (r, outcome) ->
                        ((ListSnapshotsRequest) r).getMaxEntries() == 0
                            ? Deviation.Outcome.of(ListSnapshotsResponse.getDefaultInstance())
                            : outcome)),
        Mutant.of("CTRL-LISTSNAP-010", "comes to no end", SnapshotMutants::endless),
        Mutant.of(
                "CTRL-LISTSNAP-015",
                "lists what is ready",
                () ->
                    list(
                        l -> {
                          List<ListSnapshotsResponse.Entry> ready =
                              l.getEntriesList().stream()
                                  .filter(entry -> entry.getSnapshot().getReadyToUse())
                                  .toList();
                          l.clearEntries().addAllEntries(ready);
                        }))
            .in(Config.SLOW_SNAPSHOTS),
        Mutant.of(
            "CTRL-LISTSNAP-016", "lists none as ready", () -> listed(s -> s.setReadyToUse(false))),
        Mutant.of(
            "CTRL-LISTSNAP-018",
            "falls over a list that changes",
            () ->
                refuse(
                    LIST,
                    ListSnapshotsRequest.class,
                    r -> !r.getStartingToken().isEmpty(),
                    Code.INTERNAL)),
        Mutant.of(
                "CTRL-GETSNAP-005",
                "gets what is ready",
                () ->
                    Deviations.end(
                        GET,
                        (r, outcome) ->
                            outcome.status().isOk()
                                    && !((GetSnapshotResponse) outcome.replies().get(0))
                                        .getSnapshot()
                                        .getReadyToUse()
                                ? Deviations.refusal(Code.NOT_FOUND)
                                : outcome))
            .in(Config.SLOW_SNAPSHOTS),
        Mutant.of(
                "V113-TOPO-001",
                "does not say where it lies",
                () -> cut(Snapshot.Builder::clearAccessibleTopology))
            .in(Config.CSI_1_13),
        Mutant.of(
                "V113-TOPO-002",
                "is cut anywhere",
                () -> accept(CREATE, "can't be reached from the topologies"))
            .in(Config.CSI_1_13),
        Mutant.of(
                "V113-TOPO-003",
                "is restored anywhere",
                () -> accept("CreateVolume", "no room, or no way"))
            .in(Config.CSI_1_13),
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

  private static Deviation nameless() {
    return cut(
        s -> {
          if (!s.getReadyToUse()) {
            s.clearSnapshotId();
          }
        });
  }

  /** A snapshot without the data that a volume is restored from. */
  private static FakeSnapshot lost(FakeSnapshot snapshot) {
    return new FakeSnapshot(
        snapshot.id(),
        snapshot.name(),
        snapshot.sourceVolume(),
        snapshot.parameters(),
        Long.MAX_VALUE,
        snapshot.cut(),
        snapshot.readyAt(),
        snapshot.group(),
        snapshot.topology(),
        snapshot.blocks());
  }

  private static Deviation listedWithVolume() {
    Set<String> gone = new HashSet<>();
    return Deviations.both(
        Deviations.afterwards(
            "DeleteVolume", DeleteVolumeRequest.class, r -> gone.add(r.getVolumeId())),
        list(
            l -> {
              List<ListSnapshotsResponse.Entry> left =
                  l.getEntriesList().stream()
                      .filter(entry -> !gone.contains(entry.getSnapshot().getSourceVolumeId()))
                      .toList();
              l.clearEntries().addAllEntries(left);
            }));
  }

  private static Deviation endless() {
    return Deviations.end(
        LIST,
        (r, outcome) -> {
          String token = ((ListSnapshotsRequest) r).getStartingToken();
          if (!outcome.status().isOk() || token.isEmpty()) {
            return outcome;
          }
          ListSnapshotsResponse.Builder same =
              ((ListSnapshotsResponse) outcome.replies().get(0)).toBuilder();
          return Deviation.Outcome.of(same.setNextToken(token).build());
        });
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
