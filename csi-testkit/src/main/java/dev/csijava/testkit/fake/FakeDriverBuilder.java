package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says what a {@link FakeDriver} is like. Without a word it offers everything of CSI 1.12 that can
 * be offered without mounts: all capabilities but VOLUME_MOUNT_GROUP, two nodes, two zones, volumes
 * from 1 MiB to 1 TiB. What is taken away by {@code without} is answered with UNIMPLEMENTED.
 *
 * <p>Not safe for use by several threads; one builder may start many drivers.
 *
 * @since 0.1.0
 */
public final class FakeDriverBuilder {
  static final String TOPOLOGY_KEY = "topology.fake.csijava.dev/zone";

  String name = "fake.csijava.dev";
  String vendorVersion = "0.1.0";
  final Set<PluginCapability.Service.Type> plugin =
      EnumSet.of(
          PluginCapability.Service.Type.CONTROLLER_SERVICE,
          PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE,
          PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
  final Set<PluginCapability.VolumeExpansion.Type> expansion =
      EnumSet.of(PluginCapability.VolumeExpansion.Type.ONLINE);
  final Set<ControllerServiceCapability.RPC.Type> controller =
      EnumSet.complementOf(
          EnumSet.of(
              ControllerServiceCapability.RPC.Type.UNKNOWN,
              ControllerServiceCapability.RPC.Type.UNRECOGNIZED,
              ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
              ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH));
  final Set<NodeServiceCapability.RPC.Type> node =
      EnumSet.of(
          NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME,
          NodeServiceCapability.RPC.Type.GET_VOLUME_STATS,
          NodeServiceCapability.RPC.Type.EXPAND_VOLUME,
          NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER,
          NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
  final Set<GroupControllerServiceCapability.RPC.Type> group =
      EnumSet.of(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
  boolean nodeService = true;
  boolean inlineVolumes = true;
  List<String> nodes = List.of("fake-node-1", "fake-node-2");
  long maxVolumesPerNode;
  List<Topology> topologies = List.of(zone("zone-1"), zone("zone-2"));
  int topologiesPerVolume = 1;
  long minSize = 1L << 20;
  long maxSize = 1L << 40;
  long defaultSize = 1L << 30;
  long capacity = 100L << 40;
  int maxSnapshots = Integer.MAX_VALUE;
  Set<Mode> modes = EnumSet.allOf(Mode.class);
  boolean blockVolumes = true;
  boolean mountVolumes = true;
  Set<String> fileSystems = Set.of("ext4", "xfs");
  Set<String> mountFlags =
      Set.of(
          "ro",
          "rw",
          "noatime",
          "nodiratime",
          "relatime",
          "strictatime",
          "lazytime",
          "nodev",
          "nosuid",
          "noexec",
          "sync",
          "dirsync",
          "discard");
  Optional<Set<String>> parameters = Optional.empty();
  final Map<String, Pattern> mutableParameters =
      new HashMap<>(
          Map.of("iops", Pattern.compile("[0-9]+"), "throughput", Pattern.compile("[0-9]+")));
  String groupParameter = "";
  Map<String, String> requiredSecrets = Map.of();
  Duration snapshotProcessing = Duration.ZERO;
  boolean snapshotsPinned;
  boolean volumesPinned;
  boolean changedBlockTracking = true;
  BlockMetadataType blockMetadataType = BlockMetadataType.FIXED_LENGTH;
  int blockMetadataBatch = 256;
  boolean workload = true;
  int callsKept = Integer.MAX_VALUE;
  final List<Deviation> deviations = new ArrayList<>();

  FakeDriverBuilder() {}

  /**
   * The plugin name.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder name(String name) {
    this.name = name;
    return this;
  }

  /**
   * The vendor_version of GetPluginInfo.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder vendorVersion(String vendorVersion) {
    this.vendorVersion = vendorVersion;
    return this;
  }

  /**
   * Offers everything of that version again: for 1.13 the health RPCs and
   * SNAPSHOT_ACCESSIBILITY_CONSTRAINTS in place of VOLUME_CONDITION.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder version(CsiVersion version) {
    boolean newer = version == CsiVersion.V1_13;
    put(plugin, PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS, newer);
    put(controller, ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH, newer);
    put(controller, ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH, newer);
    put(controller, ControllerServiceCapability.RPC.Type.VOLUME_CONDITION, !newer);
    put(node, NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH, newer);
    put(node, NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH, newer);
    put(node, NodeServiceCapability.RPC.Type.VOLUME_CONDITION, !newer);
    return this;
  }

  /**
   * Offers what a plugin capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder with(PluginCapability.Service.Type capability) {
    plugin.add(capability);
    return this;
  }

  /**
   * Takes away what a plugin capability stands for; a whole service, for some.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder without(PluginCapability.Service.Type capability) {
    plugin.remove(capability);
    return this;
  }

  /**
   * Offers what a controller capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder with(ControllerServiceCapability.RPC.Type capability) {
    controller.add(capability);
    return this;
  }

  /**
   * Takes away what a controller capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder without(ControllerServiceCapability.RPC.Type capability) {
    controller.remove(capability);
    return this;
  }

  /**
   * Offers what a node capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder with(NodeServiceCapability.RPC.Type capability) {
    node.add(capability);
    return this;
  }

  /**
   * Takes away what a node capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder without(NodeServiceCapability.RPC.Type capability) {
    node.remove(capability);
    return this;
  }

  /**
   * Takes away what a group controller capability stands for.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder without(GroupControllerServiceCapability.RPC.Type capability) {
    group.remove(capability);
    return this;
  }

  /**
   * Offers only this kind of expansion; UNKNOWN: reports none, as many drivers do.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder volumeExpansion(PluginCapability.VolumeExpansion.Type kind) {
    expansion.clear();
    put(expansion, kind, kind != PluginCapability.VolumeExpansion.Type.UNKNOWN);
    return this;
  }

  /**
   * Whether the Node service is served; true at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder nodeService(boolean served) {
    nodeService = served;
    return this;
  }

  /**
   * Whether a pod's own volumes are published that nobody created, as Kubernetes has them; true at
   * first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder inlineVolumes(boolean served) {
    inlineVolumes = served;
    return this;
  }

  /**
   * The nodes that the controller knows; the driver itself runs on the first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder nodes(String own, String... others) {
    List<String> all = new ArrayList<>(List.of(own));
    all.addAll(List.of(others));
    nodes = all;
    return this;
  }

  /**
   * How many volumes may be attached to one node; 0 (at first): no limit is reported or kept.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder maxVolumesPerNode(long count) {
    maxVolumesPerNode = count;
    return this;
  }

  /**
   * The zones that there are, as values of one topology key; the driver's node is in the first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder zones(String own, String... others) {
    List<Topology> all = new ArrayList<>(List.of(zone(own)));
    for (String other : others) {
      all.add(zone(other));
    }
    topologies = all;
    return this;
  }

  /**
   * From how many zones a volume can be reached; 1 at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder zonesPerVolume(int count) {
    topologiesPerVolume = count;
    return this;
  }

  /**
   * The smallest and the largest volume, and the size where the caller names none; in bytes.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder volumeSizes(long smallest, long largest, long unnamed) {
    minSize = smallest;
    maxSize = largest;
    defaultSize = unnamed;
    return this;
  }

  /**
   * What the volumes of one zone may have together, in bytes; 100 TiB at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder capacity(long bytes) {
    capacity = bytes;
    return this;
  }

  /**
   * How many snapshots there is room for; no limit at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder maxSnapshots(int count) {
    maxSnapshots = count;
    return this;
  }

  /**
   * The access modes that volumes can serve; all at first. SINGLE_NODE_SINGLE_WRITER and
   * SINGLE_NODE_MULTI_WRITER need their capability besides.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder accessModes(Collection<Mode> served) {
    modes = Set.copyOf(served);
    return this;
  }

  /**
   * Which access types volumes can serve; both at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder accessTypes(boolean mount, boolean block) {
    mountVolumes = mount;
    blockVolumes = block;
    return this;
  }

  /**
   * The values of fs_type besides the empty one; ext4 and xfs at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder fileSystems(Set<String> known) {
    fileSystems = Set.copyOf(known);
    return this;
  }

  /**
   * The mount flags that are accepted.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder mountFlags(Set<String> known) {
    mountFlags = Set.copyOf(known);
    return this;
  }

  /**
   * The names that parameters of volumes, snapshots and groups may have; others are
   * INVALID_ARGUMENT. Without this call every name is accepted.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder parameters(Set<String> known) {
    parameters = Optional.of(Set.copyOf(known));
    return this;
  }

  /**
   * Accepts one more mutable parameter, with values that match the pattern as a whole.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder mutableParameter(String key, String pattern) {
    mutableParameters.put(key, Pattern.compile(pattern));
    return this;
  }

  /**
   * A parameter of volumes that says which of them can be cut together: a group of volumes with
   * different values is FAILED_PRECONDITION.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder groupParameter(String key) {
    groupParameter = key;
    return this;
  }

  /**
   * Secrets without which calls that carry secrets are UNAUTHENTICATED.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder requiredSecrets(Map<String, String> secrets) {
    requiredSecrets = Map.copyOf(secrets);
    return this;
  }

  /**
   * How long after the cut a snapshot becomes ready; at once, at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder snapshotProcessing(Duration duration) {
    snapshotProcessing = duration;
    return this;
  }

  /**
   * Whether a snapshot can't be deleted while a volume made from it lives; false at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder snapshotsPinned(boolean pinned) {
    snapshotsPinned = pinned;
    return this;
  }

  /**
   * Whether a volume can't be deleted while a snapshot of it lives; false at first.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder volumesPinned(boolean pinned) {
    volumesPinned = pinned;
    return this;
  }

  /**
   * Whether GetMetadataDelta knows what changed; if not, it is FAILED_PRECONDITION.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder changedBlockTracking(boolean on) {
    changedBlockTracking = on;
    return this;
  }

  /**
   * The form of block metadata, and how many tuples a message holds unless the caller says less.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder blockMetadata(BlockMetadataType type, int batch) {
    blockMetadataType = type;
    blockMetadataBatch = batch;
    return this;
  }

  /**
   * Whether the driver plays the programs that use the volumes too: some blocks are written when a
   * volume is made and before each snapshot. True at first; false: only {@link FakeDriver#write}
   * writes.
   *
   * @since 0.1.0
   */
  public FakeDriverBuilder workload(boolean played) {
    workload = played;
    return this;
  }

  /**
   * How many calls {@link FakeDriver#calls} remembers; all at first, which a driver that serves for
   * days has no memory for.
   *
   * @param most 0 or more; the oldest are forgotten first
   * @since 0.1.0
   */
  public FakeDriverBuilder callsKept(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("no number of calls: " + most);
    }
    callsKept = most;
    return this;
  }

  /** Breaks the driver on purpose, to test what tests drivers. */
  FakeDriverBuilder deviation(Deviation deviation) {
    deviations.add(deviation);
    return this;
  }

  /**
   * Starts the driver on a Unix socket in a temporary directory of its own, which {@link
   * FakeDriver#close} removes.
   *
   * @throws IOException if the socket can't be made
   * @since 0.1.0
   */
  public FakeDriver start() throws IOException {
    return FakeDriver.start(this, Optional.empty());
  }

  /**
   * Starts the driver on this Unix socket.
   *
   * @param socket an absolute path; what is there already must be a socket that nobody serves
   * @throws IOException if the socket can't be made
   * @since 0.1.0
   */
  public FakeDriver start(Path socket) throws IOException {
    return FakeDriver.start(this, Optional.of(socket));
  }

  private static Topology zone(String value) {
    return Topology.newBuilder().putSegments(TOPOLOGY_KEY, value).build();
  }

  private static <T> void put(Set<T> capabilities, T capability, boolean present) {
    if (present) {
      capabilities.add(capability);
    } else {
      capabilities.remove(capability);
    }
  }
}
