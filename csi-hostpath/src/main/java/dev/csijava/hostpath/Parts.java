package dev.csijava.hostpath;

import dev.csijava.core.SpecVersion;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeGrowth;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.controller.SnapshotMessages;
import dev.csijava.hostpath.controller.VolumePolicy;
import dev.csijava.hostpath.node.Stagings;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.util.List;

/** What the controller and the node share. */
record Parts(
    HostpathSettings settings,
    Host host,
    StateDirectory state,
    Backings backings,
    VolumeData data,
    VolumeGrowth growth,
    Stagings stagings,
    NodeTopology topology,
    VolumePolicy policy,
    VolumeUses uses,
    SnapshotMessages snapshots) {
  static Parts of(HostpathSettings settings, Host host, StateDirectory state, LoopDevices loops)
      throws IOException {
    NodeTopology topology = new NodeTopology(settings.nodeId(), honoursTopology(settings));
    VolumeSizes sizes = settings.sizes().planned();
    Backings backings =
        Backings.freezing(host.machine(loops), state.volumes(), settings.runDirectory());
    Promises promises = new Promises(settings.sizes().capacities(), state.volumes());
    Stagings stagings = Stagings.open(settings.runDirectory(), host.steps());
    return new Parts(
        settings,
        host,
        state,
        backings,
        new VolumeData(backings, sizes),
        new VolumeGrowth(state.volumes(), backings, sizes, promises),
        stagings,
        topology,
        new VolumePolicy(
            sizes,
            promises,
            settings.features().modify(),
            new AttachedNodes(settings.attach().enabled(), settings.nodeId())),
        new VolumeUses(state.volumes(), backings, host.mounts(), stagings::of),
        new SnapshotMessages(
            settings.advertised() == SpecVersion.V1_13 ? topology.accessible() : List.of()));
  }

  /** Without a controller that makes volumes there is nothing to place. */
  private static boolean honoursTopology(HostpathSettings settings) {
    return settings.features().topology() && !settings.features().inlineOnly();
  }

  boolean honoursTopology() {
    return honoursTopology(settings);
  }
}
