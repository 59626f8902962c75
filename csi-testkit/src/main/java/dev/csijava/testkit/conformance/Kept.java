package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a call that was refused must have left as it was, as far as the driver tells: a refusal that
 * has done the harm already is worse than none. Judged for the first row of the case.
 */
final class Kept {
  private Kept() {}

  /** The creation replays, and finds the same volume. */
  static void volume(CaseContext c, CreateVolumeRequest request, Volume made) {
    Outcome<Volume> again = Outcome.of(() -> c.controller().createVolume(request).getVolume());
    c.check(
        again.ok() && again.answer().getVolumeId().equals(made.getVolumeId()),
        "the volume " + made.getVolumeId() + " kept",
        again.ok() ? again.answer().getVolumeId() : again);
  }

  /** The cut replays, and finds the same snapshot. */
  static void snapshot(CaseContext c, CreateSnapshotRequest request, Snapshot made) {
    Outcome<Snapshot> again =
        Outcome.of(() -> c.controller().createSnapshot(request).getSnapshot());
    c.check(
        again.ok() && again.answer().getSnapshotId().equals(made.getSnapshotId()),
        "the snapshot " + made.getSnapshotId() + " kept",
        again.ok() ? again.answer().getSnapshotId() : again);
  }

  /** The volume is attached to this node and to no other. */
  static void attachedTo(CaseContext c, Volume volume, String node) {
    if (Listing.tellsNodes(c)) {
      List<String> nodes = Listing.nodesOf(c, volume);
      c.check(nodes.equals(List.of(node)), "still attached to " + node + " alone", nodes);
    }
  }

  /** The volume has the size that it was made with, unless a size is unknown, which is 0. */
  static void size(CaseContext c, Volume made) {
    OptionalLong now = sizeOf(c, made.getVolumeId());
    if (now.orElse(0) != 0 && made.getCapacityBytes() != 0) {
      c.check(
          now.getAsLong() == made.getCapacityBytes(),
          "still " + made.getCapacityBytes() + " bytes",
          now.getAsLong());
    }
  }

  private static OptionalLong sizeOf(CaseContext c, String id) {
    if (c.advertises("ctrl:GET_VOLUME")) {
      ControllerGetVolumeRequest request =
          ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build();
      return OptionalLong.of(
          c.prepare(() -> c.controller().controllerGetVolume(request))
              .getVolume()
              .getCapacityBytes());
    }
    if (c.advertises("ctrl:LIST_VOLUMES")) {
      return Listing.volumes(c).stream()
          .filter(entry -> entry.getVolume().getVolumeId().equals(id))
          .mapToLong(entry -> entry.getVolume().getCapacityBytes())
          .findFirst();
    }
    return OptionalLong.empty();
  }

  /** What stands at a path now; {@link Place#stays} later. */
  static Place place(CaseContext c, String path) {
    boolean looks = c.make().onNode().canLook();
    PathKind kind = looks ? c.make().onNode().kindAt(path) : PathKind.NOT_FOUND;
    return new Place(path, kind, SeenMounts.count(path));
  }

  /** A path on the node. */
  record Place(String path, PathKind kind, long mounts) {
    void stays(CaseContext c) {
      Place now = place(c, path);
      c.check(now.equals(this), "as before, " + this, now);
    }
  }
}
