package dev.csijava.core;

import dev.csijava.spec.v1.NodeGetInfoResponse;
import java.util.function.LongSupplier;

/** NodeGetInfo, from what the node was registered with. */
record NodeInfo(NodeGetInfoResponse fixed, LongSupplier maxVolumes) {
  static NodeInfo of(NodeBuilder node) {
    NodeGetInfoResponse.Builder reply = NodeGetInfoResponse.newBuilder();
    node.nodeId().ifPresent(reply::setNodeId);
    if (!node.segments().isEmpty()) {
      reply.getAccessibleTopologyBuilder().putAllSegments(node.segments());
    }
    return new NodeInfo(reply.build(), node.volumeLimit());
  }

  void register(Handlers handlers) {
    handlers.unary(Rpc.NODE_GET_INFO, (request, call) -> answer());
  }

  private NodeGetInfoResponse answer() {
    long limit = Math.max(0, maxVolumes.getAsLong());
    return limit == 0 ? fixed : fixed.toBuilder().setMaxVolumesPerNode(limit).build();
  }
}
