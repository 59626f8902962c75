package dev.csijava.examples.memory;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;

/**
 * Where volumes can be reached from: this node.
 *
 * @param key the key of the topology
 * @param node its value, the id of this node
 */
record Placement(String key, String node) {
  /** What every volume says of itself. */
  Topology topology() {
    return Topology.newBuilder().putSegments(key, node).build();
  }

  /** Whether this node is among those required. What is preferred chooses between nodes. */
  boolean satisfies(TopologyRequirement requirement) {
    return requirement.getRequisiteCount() == 0
        || requirement.getRequisiteList().stream().anyMatch(this::liesIn);
  }

  /** Refuses what only another node could provide; the provisioner then tries elsewhere. */
  void require(CreateVolumeRequest request) {
    if (!satisfies(request.getAccessibilityRequirements())) {
      throw CsiException.resourceExhausted("volumes can be had on node " + node + " only");
    }
  }

  private boolean liesIn(Topology topology) {
    return topology.getSegmentsMap().entrySet().stream()
        .allMatch(
            segment -> segment.getKey().equalsIgnoreCase(key) && segment.getValue().equals(node));
  }
}
