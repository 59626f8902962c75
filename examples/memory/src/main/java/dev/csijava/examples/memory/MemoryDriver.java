package dev.csijava.examples.memory;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.PluginCapability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Puts the driver together. It runs once a node and serves controller and node in one process: a
 * volume exists on the node where it was made and nowhere else.
 */
public final class MemoryDriver {
  /** The one key of the topology, whose value is the node's id. */
  static final String TOPOLOGY_KEY = "memory.example.com/node";

  private static final long MIB = 1 << 20;

  private MemoryDriver() {}

  /**
   * Serves at CSI_ENDPOINT until SIGTERM. NODE_NAME is the node's id, MEMORY_STATE the directory of
   * the records, and MEMORY_RUN one on the host's {@code /run}, which a reboot empties.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path state = Path.of(System.getenv("MEMORY_STATE"));
    StagedMarks marks = StagedMarks.in(Path.of(System.getenv("MEMORY_RUN")));
    String node = System.getenv("NODE_NAME");
    CsiServer.serve(driver(node, VolumeStore.open(state), marks, Mounter.system()));
  }

  static CsiDriver driver(String node, VolumeStore store, StagedMarks marks, Mounter mounter) {
    CapacityPlanner planner =
        CapacityPlanner.builder()
            .granularity(MIB) // whole pages, whatever their size
            .defaultSize(64 * MIB)
            .maximum(16 * 1024 * MIB)
            .build();
    MemoryController controller =
        new MemoryController(store, planner, new Placement(TOPOLOGY_KEY, node));
    MemoryNode nodeSide = new MemoryNode(store, planner, marks, mounter);
    return CsiDriver.named("memory.example.com")
        .version("1.0.0")
        .volumeExpansion(PluginCapability.VolumeExpansion.Type.ONLINE)
        .controller(
            c -> c.volumes(controller).expansion(controller).topology().singleNodeMultiWriter())
        .node(
            n ->
                n.id(node)
                    .topology(Map.of(TOPOLOGY_KEY, node))
                    .staging(nodeSide)
                    .publishing(nodeSide)
                    .stats(nodeSide)
                    .expansion(nodeSide)
                    .mountGroup()
                    .singleNodeMultiWriter())
        .build();
  }
}
