package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeServiceCapability;

/** What the node says about itself. */
final class NodeAbout {
  private final FakeSettings settings;
  private final Fields fields;

  NodeAbout(FakeServices services) {
    this.settings = services.settings;
    this.fields = services.fields;
  }

  NodeGetCapabilitiesResponse capabilities(NodeGetCapabilitiesRequest request) {
    FakeServices.gate(settings.nodeService, "NodeGetCapabilities");
    fields.check(request);
    NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
    settings.node.stream()
        .sorted()
        .forEach(
            type ->
                reply.addCapabilities(
                    NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))));
    return reply.build();
  }

  NodeGetInfoResponse info(NodeGetInfoRequest request) {
    FakeServices.gate(settings.nodeService, "NodeGetInfo");
    fields.check(request);
    NodeGetInfoResponse.Builder reply =
        NodeGetInfoResponse.newBuilder()
            .setNodeId(settings.ownNode())
            .setMaxVolumesPerNode(settings.maxVolumesPerNode);
    if (settings.withTopology()) {
      reply.setAccessibleTopology(settings.topologies.get(0));
    }
    return reply.build();
  }
}
