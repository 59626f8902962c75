package dev.csijava.core.operation;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Create requests in the form that is stored beside what they made, and compared (rule K8:
 * normalise before compare and store).
 *
 * <p>A normalised request holds no secrets and no fields that this version of the interface does
 * not know, so it may be written to a disk; lists whose order means nothing are sorted and free of
 * duplicates. Parameters are all kept, those under {@code csi.storage.k8s.io/} included: a caller
 * repeats a request with the same keys, and they are part of what was asked for. Normalising twice
 * changes nothing more.
 *
 * @since 0.1.0
 */
public final class CreateRequests {
  private CreateRequests() {}

  /**
   * Sorts the capabilities and the requisite topologies; the preferred ones keep their order, which
   * is the caller's order of preference.
   *
   * @since 0.1.0
   */
  public static CreateVolumeRequest normalise(CreateVolumeRequest request) {
    CreateVolumeRequest stripped = strip(request);
    CreateVolumeRequest.Builder normal = stripped.toBuilder();
    normal
        .clearVolumeCapabilities()
        .addAllVolumeCapabilities(
            sorted(
                stripped.getVolumeCapabilitiesList(),
                Comparator.comparing(
                    VolumeCapability::toByteString,
                    ByteString.unsignedLexicographicalComparator())));
    if (isEmpty(stripped.getAccessibilityRequirements())) {
      normal.clearAccessibilityRequirements();
    } else {
      normal.setAccessibilityRequirements(normal(stripped.getAccessibilityRequirements()));
    }
    return normal.build();
  }

  /**
   * Sorts the requisite topologies.
   *
   * @since 0.1.0
   */
  public static CreateSnapshotRequest normalise(CreateSnapshotRequest request) {
    CreateSnapshotRequest stripped = strip(request);
    CreateSnapshotRequest.Builder normal = stripped.toBuilder();
    if (isEmpty(stripped.getAccessibilityRequirements())) {
      normal.clearAccessibilityRequirements();
    } else {
      normal.setAccessibilityRequirements(normal(stripped.getAccessibilityRequirements()));
    }
    return normal.build();
  }

  /**
   * Sorts the ids of the source volumes.
   *
   * @since 0.1.0
   */
  public static CreateVolumeGroupSnapshotRequest normalise(
      CreateVolumeGroupSnapshotRequest request) {
    CreateVolumeGroupSnapshotRequest stripped = strip(request);
    return stripped.toBuilder()
        .clearSourceVolumeIds()
        .addAllSourceVolumeIds(sorted(stripped.getSourceVolumeIdsList(), Comparator.naturalOrder()))
        .build();
  }

  @SuppressWarnings("unchecked") // a copy has the type of its original
  private static <M extends Message> M strip(M request) {
    return (M) SecretFree.copyToStore(request);
  }

  private static boolean isEmpty(TopologyRequirement requirement) {
    return requirement.getRequisiteCount() == 0 && requirement.getPreferredCount() == 0;
  }

  private static TopologyRequirement normal(TopologyRequirement requirement) {
    return requirement.toBuilder()
        .clearRequisite()
        .addAllRequisite(
            sorted(
                requirement.getRequisiteList(),
                Comparator.comparing(CreateRequests::segmentsInOrder)))
        .build();
  }

  private static String segmentsInOrder(Topology topology) {
    return new TreeMap<>(topology.getSegmentsMap()).toString();
  }

  private static <T> List<T> sorted(List<T> values, Comparator<? super T> order) {
    return values.stream().distinct().sorted(order).toList();
  }
}
