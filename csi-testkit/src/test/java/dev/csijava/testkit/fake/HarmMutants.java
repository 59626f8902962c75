package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Drivers that refuse as they must, and have done the harm all the same. */
final class HarmMutants {
  private HarmMutants() {}

  static List<Mutant> all() {
    return Stream.of(volumes(), copies(), attached(), onNode()).flatMap(s -> s).toList();
  }

  private static Stream<Mutant> volumes() {
    return Stream.of(
        inTheWay("CTRL-CREATE-006"),
        inTheWay("CTRL-CREATE-007"),
        inTheWay("CTRL-CREATE-008"),
        inTheWay("CTRL-CREATE-010"),
        Mutant.of(
            "CTRL-DELETE-005",
            "refuses to delete what is in use, and deletes it",
            () -> deletesVolume()),
        Mutant.of(
                "CTRL-DELETE-006",
                "refuses to delete what has snapshots, and deletes it",
                () -> deletesVolume())
            .in(Config.VOLUMES_PINNED),
        Mutant.of(
                "CTRL-EXPAND-008",
                "refuses to grow what is in use, and grows it",
                () -> grows(Code.FAILED_PRECONDITION))
            .in(Config.OFFLINE),
        Mutant.of(
            "CTRL-EXPAND-012",
            "refuses to grow for ever, and grows",
            () -> grows(Code.OUT_OF_RANGE)));
  }

  private static Stream<Mutant> copies() {
    return Stream.of(
        Mutant.of(
            "CTRL-SNAP-006",
            "refuses another source, and drops the snapshot",
            () ->
                harm(
                    "CreateSnapshot",
                    CreateSnapshotRequest.class,
                    Code.ALREADY_EXISTS,
                    (state, r) ->
                        state
                            .snapshotNamed(r.getName())
                            .ifPresent(s -> state.snapshots.remove(s.id())))),
        Mutant.of(
                "CTRL-DELSNAP-005",
                "refuses to delete what is in use, and deletes it",
                () ->
                    harm(
                        "DeleteSnapshot",
                        DeleteSnapshotRequest.class,
                        Code.FAILED_PRECONDITION,
                        (state, r) -> state.snapshots.remove(r.getSnapshotId())))
            .in(Config.PINNED),
        Mutant.of(
            "GROUP-CREATE-006",
            "refuses other volumes, and drops the group",
            () ->
                harm(
                    "CreateVolumeGroupSnapshot",
                    CreateVolumeGroupSnapshotRequest.class,
                    Code.ALREADY_EXISTS,
                    (state, r) ->
                        state.groupNamed(r.getName()).ifPresent(g -> state.groups.remove(g.id())))),
        Mutant.of(
            "GROUP-DELETE-006",
            "refuses wrong members, and deletes one",
            () -> deletesMember(Code.INVALID_ARGUMENT)),
        Mutant.of(
                "GROUP-DELETE-008",
                "refuses to delete what is in use, and deletes the rest",
                () -> deletesMember(Code.FAILED_PRECONDITION))
            .in(Config.PINNED));
  }

  private static Stream<Mutant> attached() {
    return Stream.of(
        detaches("CTRL-PUB-008"),
        detaches("CTRL-PUB-009"),
        Mutant.of(
            "CTRL-PUB-010",
            "refuses the second node, and moves the volume there",
            () ->
                attaching(
                    Code.FAILED_PRECONDITION,
                    (state, r) -> {
                      Map<String, FakeVolume.Attachment> nodes =
                          state.volume(r.getVolumeId()).attachments;
                      FakeVolume.Attachment moved = nodes.values().iterator().next();
                      nodes.clear();
                      nodes.put(r.getNodeId(), moved);
                    })));
  }

  private static Stream<Mutant> onNode() {
    return Stream.of(
        Mutant.of(
            "NODE-STAGE-007",
            "refuses another capability, and unstages",
            () ->
                harm(
                    "NodeStageVolume",
                    NodeStageVolumeRequest.class,
                    Code.ALREADY_EXISTS,
                    (state, r) -> state.volume(r.getVolumeId()).stagings.clear())),
        Mutant.of(
            "NODE-UNPUB-011",
            "refuses to unpublish another volume, and does it",
            () ->
                harm(
                    "NodeUnpublishVolume",
                    NodeUnpublishVolumeRequest.class,
                    Code.FAILED_PRECONDITION,
                    (state, r) -> Targets.remove(Path.of(r.getTargetPath())))),
        unpublishes("NODE-PUB-010", Code.ALREADY_EXISTS),
        unpublishes("NODE-PUB-011", Code.ALREADY_EXISTS),
        unpublishes("NODE-PUB-015", Code.FAILED_PRECONDITION),
        unpublishes("NODE-PUB-016", Code.FAILED_PRECONDITION),
        unpublishes("NODE-PUB-018", Code.FAILED_PRECONDITION),
        unpublishes("NODE-PUB-019", Code.FAILED_PRECONDITION),
        unpublishes("NODE-PUB-023", Code.ALREADY_EXISTS),
        unpublishes("NODE-PUB-025", Code.FAILED_PRECONDITION));
  }

  private static Mutant inTheWay(String row) {
    return Mutant.of(
        row,
        "refuses another volume of that name, and drops the one that is in its way",
        () ->
            harm(
                "CreateVolume",
                CreateVolumeRequest.class,
                Code.ALREADY_EXISTS,
                (state, r) ->
                    state.volumeNamed(r.getName()).ifPresent(v -> state.volumes.remove(v.id))));
  }

  private static Deviation deletesVolume() {
    return harm(
        "DeleteVolume",
        DeleteVolumeRequest.class,
        Code.FAILED_PRECONDITION,
        (state, r) -> state.volumes.remove(r.getVolumeId()));
  }

  private static Deviation grows(Code code) {
    return harm(
        "ControllerExpandVolume",
        ControllerExpandVolumeRequest.class,
        code,
        (state, r) -> state.volume(r.getVolumeId()).capacity *= 2);
  }

  private static Deviation deletesMember(Code code) {
    return harm(
        "DeleteVolumeGroupSnapshot",
        DeleteVolumeGroupSnapshotRequest.class,
        code,
        (state, r) -> r.getSnapshotIdsList().forEach(state.snapshots::remove));
  }

  private static Mutant detaches(String row) {
    return Mutant.of(
        row,
        "refuses another use, and detaches",
        () ->
            attaching(
                Code.ALREADY_EXISTS,
                (state, r) -> state.volume(r.getVolumeId()).attachments.clear()));
  }

  private static Deviation attaching(
      Code code, BiConsumer<FakeState, ControllerPublishVolumeRequest> deed) {
    return harm("ControllerPublishVolume", ControllerPublishVolumeRequest.class, code, deed);
  }

  private static Mutant unpublishes(String row, Code code) {
    return Mutant.of(
        row,
        "refuses another publication, and takes away the one that there is",
        () ->
            harm(
                "NodePublishVolume",
                NodePublishVolumeRequest.class,
                code,
                (state, r) -> {
                  FakeVolume volume = state.volume(r.getVolumeId());
                  volume.publications.keySet().forEach(t -> Targets.remove(Path.of(t)));
                  volume.publications.clear();
                }));
  }

  /** Does a deed where the driver has refused with this code. */
  private static <T extends Message> Deviation harm(
      String rpc, Class<T> type, Code code, BiConsumer<FakeState, T> deed) {
    AtomicReference<FakeState> known = new AtomicReference<>();
    return new Deviation() {
      @Override
      public void before(FakeState state, String called, Message request) {
        known.set(state);
      }

      @Override
      public Outcome end(String called, Message request, Outcome outcome) {
        FakeState state = known.get();
        if (state != null && called.equals(rpc) && outcome.status().getCode() == code) {
          synchronized (state) {
            deed.accept(state, type.cast(request));
          }
        }
        return outcome;
      }
    };
  }
}
