package dev.csijava.examples.block;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import dev.csijava.core.Mode;
import dev.csijava.spec.v1.PluginCapability.VolumeExpansion;
import java.nio.file.Path;
import java.util.Set;

/**
 * Raw block volumes that are attached to a node before it can use them. One process is the
 * controller, and each node has one of its own; all of them see one directory.
 */
public final class BlockDriver {
  /** What a node takes, as the loop devices of one machine are not without end. */
  static final int VOLUMES_PER_NODE = 16;

  private BlockDriver() {}

  /** Serves at CSI_ENDPOINT until SIGTERM: the node NODE_NAME, or the controller if it is unset. */
  public static void main(String[] args) throws Exception {
    SharedDirectory shared = new SharedDirectory(Path.of(System.getenv("BLOCK_ROOT")));
    String node = System.getenv().getOrDefault("NODE_NAME", "");
    if (node.isEmpty()) {
      Set<String> nodes = Set.of(System.getenv("BLOCK_NODES").split(",", -1));
      shared.sweep();
      CsiServer.serve(controller(shared, nodes));
    } else {
      CsiServer.serve(node(shared, node));
    }
  }

  static CsiDriver controller(SharedDirectory shared, Set<String> nodes) {
    return assembled(
            new BlockController(shared, nodes, VOLUMES_PER_NODE), new BlockNode(shared, ""))
        .mode(Mode.CONTROLLER)
        .build();
  }

  static CsiDriver node(SharedDirectory shared, String nodeId) {
    BlockNode node = new BlockNode(shared, nodeId);
    node.sweep();
    return assembled(new BlockController(shared, Set.of(), VOLUMES_PER_NODE), node)
        .node(n -> n.id(nodeId))
        .mode(Mode.NODE)
        .build();
  }

  /** Whole in every process, since all of them must tell the same capabilities. */
  private static CsiDriver.Builder assembled(BlockController controller, BlockNode node) {
    return CsiDriver.named("block.example.com")
        .version("1.0.0")
        .volumeExpansion(VolumeExpansion.Type.ONLINE)
        .controller(
            c ->
                c.volumes(controller)
                    .attachments(controller)
                    .publishReadonly()
                    .expansion(controller)
                    .singleNodeMultiWriter())
        .node(
            n ->
                n.staging(node)
                    .publishing(node)
                    .expansion(node)
                    .singleNodeMultiWriter()
                    .maxVolumes(() -> VOLUMES_PER_NODE));
  }
}
