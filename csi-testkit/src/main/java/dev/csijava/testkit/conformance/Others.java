package dev.csijava.testkit.conformance;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.testkit.client.DriverCapabilities;
import io.grpc.StatusRuntimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was on the driver before the kit came, as far as it lists: somebody's data. A driver that
 * answers one of these ids to a creation is wrong, and must not cost anybody a volume.
 *
 * @param volumes their ids
 * @param snapshots their ids
 * @param lent the volume that the user lets the kit use, though not delete; empty: none
 */
record Others(Set<String> volumes, Set<String> snapshots, String lent) {
  private static final int MOST_PAGES = 1_000;

  /** They name a volume and leave it as it is. */
  private static final List<Class<? extends Message>> READING =
      List.of(
          ValidateVolumeCapabilitiesRequest.class,
          ControllerGetVolumeRequest.class,
          ControllerGetVolumeHealthRequest.class,
          NodeGetVolumeStatsRequest.class,
          NodeGetVolumeHealthRequest.class);

  /** What a driver lists now; nothing where it refuses to. */
  static Others listed(Stubs stubs, DriverCapabilities driver, Optional<String> lent) {
    Set<String> volumes = new HashSet<>();
    Set<String> snapshots = new HashSet<>();
    try {
      if (driver.has("ctrl:LIST_VOLUMES")) {
        listVolumes(stubs, volumes);
      }
      if (driver.has("ctrl:LIST_SNAPSHOTS")) {
        listSnapshots(stubs, snapshots);
      }
    } catch (StatusRuntimeException e) {
      // What was listed until then is known; that lists work is for the cases to say.
    }
    volumes.remove("");
    snapshots.remove("");
    return new Others(Set.copyOf(volumes), Set.copyOf(snapshots), lent.orElse(""));
  }

  private static void listVolumes(Stubs stubs, Set<String> ids) {
    String token = "";
    int pages = 0;
    do {
      ListVolumesResponse page =
          stubs
              .controller()
              .listVolumes(ListVolumesRequest.newBuilder().setStartingToken(token).build());
      page.getEntriesList().forEach(entry -> ids.add(entry.getVolume().getVolumeId()));
      token = page.getNextToken();
    } while (!token.isEmpty() && ++pages < MOST_PAGES);
  }

  private static void listSnapshots(Stubs stubs, Set<String> ids) {
    String token = "";
    int pages = 0;
    do {
      ListSnapshotsResponse page =
          stubs
              .controller()
              .listSnapshots(ListSnapshotsRequest.newBuilder().setStartingToken(token).build());
      page.getEntriesList().forEach(entry -> ids.add(entry.getSnapshot().getSnapshotId()));
      token = page.getNextToken();
    } while (!token.isEmpty() && ++pages < MOST_PAGES);
  }

  boolean haveVolume(String id) {
    return volumes.contains(id);
  }

  boolean haveSnapshot(String id) {
    return snapshots.contains(id);
  }

  /** Why a request must not be sent, or nothing: it would change what is theirs. */
  Optional<String> changedBy(Message request) {
    if (request instanceof DeleteVolumeRequest r) {
      return theirs("volume", r.getVolumeId(), haveVolume(r.getVolumeId()));
    } else if (request instanceof DeleteSnapshotRequest r) {
      return theirs("snapshot", r.getSnapshotId(), haveSnapshot(r.getSnapshotId()));
    } else if (request instanceof DeleteVolumeGroupSnapshotRequest r) {
      return r.getSnapshotIdsList().stream()
          .flatMap(id -> theirs("snapshot", id, haveSnapshot(id)).stream())
          .findFirst();
    }
    FieldDescriptor field = request.getDescriptorForType().findFieldByName("volume_id");
    if (field == null || READING.contains(request.getClass())) {
      return Optional.empty();
    }
    String id = String.valueOf(request.getField(field));
    return theirs("volume", id, haveVolume(id) && !id.equals(lent));
  }

  private static Optional<String> theirs(String kind, String id, boolean known) {
    return known
        ? Optional.of(
            "the driver answered the "
                + kind
                + " "
                + id
                + " to a creation, which was there before the run; the kit does not touch it")
        : Optional.empty();
  }
}
