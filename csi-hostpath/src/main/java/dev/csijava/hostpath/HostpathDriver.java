package dev.csijava.hostpath;

import dev.csijava.core.ControllerBuilder;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.NodeBuilder;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.controller.DirectoryBacking;
import dev.csijava.hostpath.controller.HostpathCapacity;
import dev.csijava.hostpath.controller.HostpathListing;
import dev.csijava.hostpath.controller.HostpathSnapshotListing;
import dev.csijava.hostpath.controller.HostpathSnapshots;
import dev.csijava.hostpath.controller.HostpathVolumes;
import dev.csijava.hostpath.copy.Copiers;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.node.HostpathPublishing;
import dev.csijava.hostpath.node.HostpathStaging;
import dev.csijava.hostpath.node.HostpathStats;
import dev.csijava.hostpath.node.NodeVolumes;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.StagedVolumes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;

/**
 * The reference driver, put together: it holds its state directory until it is closed. Close it
 * after the server that serves it.
 */
public final class HostpathDriver implements AutoCloseable {
  private final StateDirectory state;
  private final CsiDriver driver;

  private HostpathDriver(StateDirectory state, CsiDriver driver) {
    this.state = state;
    this.driver = driver;
  }

  /**
   * Takes the state directory and reads it.
   *
   * @throws IOException if it is in use by another process, or can't be made or read
   * @throws IllegalArgumentException if a setting is wrong, with a sentence for the operator
   */
  public static HostpathDriver open(HostpathSettings settings) throws IOException {
    return open(settings, Host.real());
  }

  static HostpathDriver open(HostpathSettings settings, Host host) throws IOException {
    StateDirectory state =
        StateDirectory.open(
            settings.stateDirectory(), host.disk(), host.mounts(), host.steps(), host.clock());
    try {
      Publications publications = Publications.open(settings.runDirectory());
      return new HostpathDriver(state, assemble(settings, host, state, publications));
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  private static CsiDriver assemble(
      HostpathSettings settings, Host host, StateDirectory state, Publications publications) {
    NodeTopology topology = new NodeTopology(settings.nodeId());
    return CsiDriver.named(settings.driverName())
        .version(settings.version())
        .controller(c -> controller(c, settings.planner(), host, state, topology))
        .node(
            n -> {
              n.id(settings.nodeId()).topology(topology.segments());
              node(n, host, state, publications);
            })
        .build();
  }

  private static void controller(
      ControllerBuilder registration,
      CapacityPlanner planner,
      Host host,
      StateDirectory state,
      NodeTopology topology) {
    DirectoryBacking backing = new DirectoryBacking(host.disk(), host.copier());
    HostpathListing listing = new HostpathListing(state.volumes(), topology);
    HostpathSnapshotListing snapshotListing = new HostpathSnapshotListing(state.snapshots());
    registration
        .volumes(new HostpathVolumes(state, backing, planner, topology, host.mounts()))
        .listing(listing)
        .lookup(listing)
        .capacity(
            new HostpathCapacity(
                () -> Files.getFileStore(state.root()).getUsableSpace(), planner, topology))
        .snapshots(new HostpathSnapshots(state, backing, topology, host.clock()))
        .snapshotListing(snapshotListing)
        .snapshotLookup(snapshotListing)
        .cloning()
        .topology()
        .singleNodeMultiWriter();
  }

  private static void node(
      NodeBuilder registration, Host host, StateDirectory state, Publications publications) {
    Mounter mounter = host.mounter();
    Detachment detachment = new Detachment(mounter);
    NodeVolumes volumes = new NodeVolumes(state.volumes(), mounter, host.mounts());
    StagedVolumes staged = new StagedVolumes(volumes, mounter);
    registration
        .staging(new HostpathStaging(volumes, staged, detachment))
        .publishing(new HostpathPublishing(volumes, staged, publications, mounter, detachment))
        .stats(new HostpathStats(volumes, host.usage()))
        .singleNodeMultiWriter();
  }

  /** What to serve. */
  public CsiDriver driver() {
    return driver;
  }

  /** Lets go of the state directory. All calls have ended. */
  @Override
  public void close() throws IOException {
    state.close();
  }

  /** What the driver needs of the machine; tests put their own in its place. */
  record Host(
      Disk disk,
      Mounter mounter,
      MountView mounts,
      UsageReader usage,
      TreeCopier copier,
      Steps steps,
      Clock clock) {
    static Host real() {
      return new Host(
          new LocalDisk(),
          Mounter.system(),
          new KernelMounts(),
          UsageReader.system(),
          Copiers.system().tree(),
          Steps.NONE,
          Clock.systemUTC());
    }
  }
}
