package dev.csijava.hostpath.request;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where this node's volumes can be reached from: this node, and nowhere else. Immutable. */
public final class NodeTopology {
  /** The one key of this driver's topology. */
  public static final String KEY = "topology.hostpath.csi/node";

  private final String nodeId;
  private final boolean reported;

  /**
   * @param nodeId the value of {@link #KEY}, the id of this node
   */
  public NodeTopology(String nodeId) {
    this(nodeId, true);
  }

  /**
   * @param reported whether answers say where volumes can be reached from
   */
  public NodeTopology(String nodeId, boolean reported) {
    this.nodeId = nodeId;
    this.reported = reported;
  }

  /** What answers say: this node, or nothing if that is turned off. */
  public List<Topology> accessible() {
    return reported ? List.of(topology()) : List.of();
  }

  /** The segments of this node. */
  public Map<String, String> segments() {
    return Map.of(KEY, nodeId);
  }

  /** The same as every volume and snapshot carries it. */
  private Topology topology() {
    return Topology.newBuilder().putAllSegments(segments()).build();
  }

  /** Whether this node lies in the given topology. */
  public boolean liesIn(Topology topology) {
    return topology.getSegmentsMap().entrySet().stream()
        .allMatch(
            segment -> segment.getKey().equalsIgnoreCase(KEY) && segment.getValue().equals(nodeId));
  }

  /**
   * Whether a volume of this node satisfies the requirement. Preferences choose between nodes, and
   * here is but one.
   *
   * @throws CsiException INVALID_ARGUMENT if it names no topology, or prefers one that is not among
   *     those it requires
   */
  public boolean satisfies(TopologyRequirement requirement) {
    List<Topology> requisite = requirement.getRequisiteList();
    List<Topology> preferred = requirement.getPreferredList();
    if (requisite.isEmpty() && preferred.isEmpty()) {
      throw CsiException.invalidArgument(
          "accessibility_requirements needs requisite, preferred or both");
    }
    if (!requisite.isEmpty()
        && !preferred.isEmpty()
        && !places(requisite).containsAll(places(preferred))) {
      throw CsiException.invalidArgument(
          "accessibility_requirements: each preferred topology must be among the requisite ones");
    }
    return requisite.isEmpty() || requisite.stream().anyMatch(this::liesIn);
  }

  /** In a cluster of thousands of nodes each list may name them all. */
  private static Set<Map<String, String>> places(List<Topology> topologies) {
    return topologies.stream().map(NodeTopology::place).collect(Collectors.toSet());
  }

  /** Keys that differ by case alone are the same key. */
  private static Map<String, String> place(Topology topology) {
    Map<String, String> place = new HashMap<>();
    topology
        .getSegmentsMap()
        .forEach((key, value) -> place.put(key.toLowerCase(Locale.ROOT), value));
    return place;
  }

  /**
   * Refuses what this node can't provide.
   *
   * @param given whether the request has a requirement at all
   * @throws CsiException RESOURCE_EXHAUSTED if this node is not among the required ones;
   *     INVALID_ARGUMENT as {@link #satisfies}
   */
  public void require(boolean given, TopologyRequirement requirement) {
    if (given && !satisfies(requirement)) {
      throw CsiException.resourceExhausted(
          "what this driver makes can be reached from "
              + KEY
              + "="
              + nodeId
              + " only, which is not among the required topologies");
    }
  }
}
