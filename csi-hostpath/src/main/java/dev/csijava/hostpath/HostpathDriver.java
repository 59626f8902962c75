package dev.csijava.hostpath;

import dev.csijava.core.ControllerBuilder;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.NodeBuilder;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeGrowth;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.controller.HostpathCapacity;
import dev.csijava.hostpath.controller.HostpathExpansion;
import dev.csijava.hostpath.controller.HostpathListing;
import dev.csijava.hostpath.controller.HostpathSnapshotListing;
import dev.csijava.hostpath.controller.HostpathSnapshots;
import dev.csijava.hostpath.controller.HostpathVolumes;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.ProgramFileCopier;
import dev.csijava.hostpath.copy.ProgramTreeCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.health.HostpathHealth;
import dev.csijava.hostpath.health.HostpathNodeHealth;
import dev.csijava.hostpath.health.HostpathStorageHealth;
import dev.csijava.hostpath.mounts.DeviceHolders;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.node.HostpathNodeExpansion;
import dev.csijava.hostpath.node.HostpathPublishing;
import dev.csijava.hostpath.node.HostpathStaging;
import dev.csijava.hostpath.node.HostpathStats;
import dev.csijava.hostpath.node.NodeVolumes;
import dev.csijava.hostpath.node.Publications;
import dev.csijava.hostpath.node.StagedVolumes;
import dev.csijava.hostpath.node.Stagings;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.PluginCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;

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
      HostpathSettings settings, Host host, StateDirectory state, Publications publications)
      throws IOException {
    NodeTopology topology = new NodeTopology(settings.nodeId());
    Stagings stagings = Stagings.open(settings.runDirectory());
    Backings backings = new Backings(host.backings(), state.volumes());
    VolumeGrowth growth = new VolumeGrowth(state.volumes(), backings, settings.sizes());
    return CsiDriver.named(settings.driverName())
        .version(settings.version())
        .volumeExpansion(PluginCapability.VolumeExpansion.Type.ONLINE)
        .controller(
            c -> {
              controller(c, settings.sizes(), host, state, topology, backings, stagings);
              c.expansion(new HostpathExpansion(state.volumes(), backings, growth, true));
            })
        .node(
            n -> {
              n.id(settings.nodeId()).topology(topology.segments());
              node(n, host, state, publications, backings, stagings, growth);
            })
        .build();
  }

  private static void controller(
      ControllerBuilder registration,
      VolumeSizes sizes,
      Host host,
      StateDirectory state,
      NodeTopology topology,
      Backings backings,
      Stagings stagings) {
    VolumeData data = new VolumeData(backings, sizes);
    VolumeUses uses = new VolumeUses(state.volumes(), backings, host.mounts(), stagings::of);
    HostpathListing listing = new HostpathListing(state.volumes(), topology);
    HostpathSnapshotListing snapshotListing = new HostpathSnapshotListing(state.snapshots());
    registration
        .volumes(new HostpathVolumes(state, data, uses, topology))
        .listing(listing)
        .lookup(listing)
        .health(new HostpathHealth(state.volumes(), backings))
        .capacity(
            new HostpathCapacity(
                () -> Files.getFileStore(state.root()).getUsableSpace(), sizes, topology))
        .snapshots(new HostpathSnapshots(state, data, topology, host.clock()))
        .snapshotListing(snapshotListing)
        .snapshotLookup(snapshotListing)
        .cloning()
        .topology()
        .singleNodeMultiWriter();
  }

  private static void node(
      NodeBuilder registration,
      Host host,
      StateDirectory state,
      Publications publications,
      Backings backings,
      Stagings stagings,
      VolumeGrowth growth) {
    Mounter mounter = host.mounter();
    Detachment detachment = new Detachment(mounter);
    NodeVolumes volumes = new NodeVolumes(state.volumes(), backings, mounter, host.mounts());
    StagedVolumes staged = new StagedVolumes(volumes, stagings, detachment);
    registration
        .staging(new HostpathStaging(volumes, staged))
        .publishing(new HostpathPublishing(volumes, staged, publications, mounter, detachment))
        .stats(new HostpathStats(volumes))
        .expansion(new HostpathNodeExpansion(volumes, stagings, growth))
        .health(new HostpathNodeHealth(state.volumes(), backings, mounter))
        .storageHealth(new HostpathStorageHealth(host.usage(), state.root()))
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
      FileCopier fileCopier,
      LoopDevices loops,
      Filesystems filesystems,
      Steps steps,
      Clock clock) {
    /** A large file system takes its time to be checked, and callers join what is under way. */
    private static final Duration FILE_SYSTEM_DEADLINE = Duration.ofMinutes(30);

    private static final int MOST_FORMATTED_AT_ONCE = 2;

    static Host real() {
      return new Host(
          new LocalDisk(),
          Mounter.system(),
          new KernelMounts(),
          UsageReader.system(),
          new ProgramTreeCopier(),
          new ProgramFileCopier(),
          LoopDevices.system(),
          Filesystems.byPrograms(FILE_SYSTEM_DEADLINE, MOST_FORMATTED_AT_ONCE),
          Steps.NONE,
          Clock.systemUTC());
    }

    Backings.Machine backings() {
      return new Backings.Machine(
          disk,
          copier,
          fileCopier,
          mounter,
          mounts,
          usage,
          loops,
          filesystems,
          DeviceHolders.system());
    }
  }
}
