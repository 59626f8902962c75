package dev.csijava.hostpath;

import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.controller.DirectoryBacking;
import dev.csijava.hostpath.controller.SnapshotMessages;
import dev.csijava.hostpath.controller.VolumePolicy;
import dev.csijava.hostpath.health.DiskFacts;
import dev.csijava.hostpath.health.HostpathHealth;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.store.StateDirectory;
import java.util.List;

/** What the controller and the node share. */
record Parts(
    HostpathSettings settings,
    Host host,
    StateDirectory state,
    DirectoryBacking backing,
    NodeTopology topology,
    VolumePolicy policy,
    SnapshotMessages snapshots,
    HostpathHealth health) {
  static Parts of(HostpathSettings settings, Host host, StateDirectory state) {
    NodeTopology topology = new NodeTopology(settings.nodeId(), honoursTopology(settings));
    return new Parts(
        settings,
        host,
        state,
        new DirectoryBacking(host.disk(), host.copier()),
        topology,
        new VolumePolicy(
            settings.sizes().planner(),
            new Promises(settings.sizes().capacities(), state.volumes()),
            settings.features().modify(),
            new AttachedNodes(settings.attach().enabled(), settings.nodeId())),
        new SnapshotMessages(
            settings.advertised() == SpecVersion.V1_13 ? topology.accessible() : List.of()),
        new HostpathHealth(state.volumes(), new DiskFacts(state.volumes())));
  }

  /** Without a controller that makes volumes there is nothing to place. */
  private static boolean honoursTopology(HostpathSettings settings) {
    return settings.features().topology() && !settings.features().inlineOnly();
  }

  boolean honoursTopology() {
    return honoursTopology(settings);
  }
}
