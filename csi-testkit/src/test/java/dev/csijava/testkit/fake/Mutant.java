package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.SettingsBuilder;
import io.grpc.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A driver that breaks one rule.
 *
 * @param row the row of the inventory that must catch it
 * @param fault what is wrong with it
 * @param config what the driver is like otherwise
 * @param deviation how it is broken; made anew for each run
 */
record Mutant(String row, String fault, Config config, Supplier<Deviation> deviation) {

  private static final String WRITTEN_DOWN = "written-down";

  private static FakeVolume writtenDown(String id) {
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .addVolumeCapabilities(
                VolumeCapability.newBuilder()
                    .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                    .setAccessMode(
                        VolumeCapability.AccessMode.newBuilder()
                            .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
            .build();
    return new FakeVolume(id, request, Map.of(), List.of(), new BlockMap(), 1L << 30);
  }

  /** Drivers that are right. */
  enum Config {
    CSI_1_12(builder -> builder),
    CSI_1_13(builder -> builder.version(CsiVersion.V1_13)),
    WITHOUT_CONDITIONS(
        builder ->
            builder
                .without(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)
                .without(NodeServiceCapability.RPC.Type.VOLUME_CONDITION)),
    WITHOUT_TOPOLOGY(
        builder -> builder.without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)),
    OFFLINE(builder -> builder.volumeExpansion(PluginCapability.VolumeExpansion.Type.OFFLINE)),
    SLOW_SNAPSHOTS(builder -> builder.snapshotProcessing(Duration.ofMillis(400))),
    PINNED(builder -> builder.snapshotsPinned(true)),
    VOLUMES_PINNED(builder -> builder.volumesPinned(true)),
    EXTENTS(builder -> builder.blockMetadata(BlockMetadataType.VARIABLE_LENGTH, 100)),
    PARAMETERS(builder -> builder.parameters(Set.of("kind"))),
    TWO_ZONES_A_VOLUME(builder -> builder.zones("zone-1", "zone-2", "zone-3").zonesPerVolume(2)),
    MOUNT_GROUP(builder -> builder.with(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP)),
    LONG_NODE_ID(builder -> builder.nodes("n".repeat(200), "fake-node-2")),
    WITHOUT_CLONES(builder -> builder.without(ControllerServiceCapability.RPC.Type.CLONE_VOLUME)),
    WITHOUT_LISTS(builder -> builder.without(ControllerServiceCapability.RPC.Type.LIST_VOLUMES)),
    WITHOUT_MODIFY(builder -> builder.without(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME)),
    WITHOUT_READONLY(
        builder -> builder.without(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)),
    WITHOUT_STAGING(
        builder -> builder.without(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)),
    WITHOUT_NODE_GROWTH(builder -> builder.without(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)),
    OFFLINE_BY_STAGING(
        builder ->
            OFFLINE
                .settings
                .apply(builder)
                .without(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME)
                .without(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                .without(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)),
    OFFLINE_BY_PUBLISHING(
        builder ->
            OFFLINE_BY_STAGING
                .settings
                .apply(builder)
                .without(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)),
    NODE_ONLY(
        builder ->
            builder
                .without(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                .without(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME),
        kit -> kit.inlineAttributes(Map.of())),
    LIMITED(builder -> builder.maxVolumesPerNode(2), kit -> kit.attachLimit(true)),
    UNTRACKED(builder -> builder.changedBlockTracking(false)),
    SAYS_NOT_WHEN_IT_GROWS(
        builder -> builder.volumeExpansion(PluginCapability.VolumeExpansion.Type.UNKNOWN)),
    NOTHING_GIVEN(builder -> builder, kit -> kit.mutableParameters(Map.of())),
    FULL(builder -> builder, kit -> kit.fullTopology(Map.of("topology.fake.dev/zone", "full"))),
    SECRETS(
        builder -> builder.requiredSecrets(Map.of("user", "me")),
        kit ->
            kit.secrets(
                Arrays.stream(CsiRpc.values())
                    .collect(Collectors.toMap(CsiRpc::title, rpc -> Map.of("user", "me"))))),
    DENIES(
        builder ->
            builder.deviation(
                Deviations.refuse(
                    "CreateVolume",
                    CreateVolumeRequest.class,
                    r -> r.getSecretsOrDefault("user", "").equals("nobody"),
                    Status.Code.PERMISSION_DENIED)),
        kit -> kit.deniedSecrets(Map.of("user", "nobody"))),
    /** Has a volume that somebody wrote down. */
    STATIC(
        builder ->
            builder.deviation(
                new Deviation() {
                  @Override
                  public void before(FakeState state, String rpc, Message request) {
                    state.volumes.computeIfAbsent(WRITTEN_DOWN, Mutant::writtenDown);
                  }
                }),
        kit -> kit.existingVolumeId(WRITTEN_DOWN)),
    /** Is busy when it is called by a name for the second time. */
    BUSY(builder -> builder.deviation(Mutant.secondTime()));

    @SuppressWarnings("ImmutableEnumChecker") // these lambdas hold nothing
    private final UnaryOperator<FakeDriverBuilder> settings;

    @SuppressWarnings("ImmutableEnumChecker") // these lambdas hold nothing
    private final UnaryOperator<SettingsBuilder> kit;

    Config(UnaryOperator<FakeDriverBuilder> settings) {
      this(settings, kit -> kit);
    }

    Config(UnaryOperator<FakeDriverBuilder> settings, UnaryOperator<SettingsBuilder> kit) {
      this.settings = settings;
      this.kit = kit;
    }

    /** What the kit is told of such a driver. */
    SettingsBuilder told(SettingsBuilder about) {
      return kit.apply(about);
    }

    FakeDriverBuilder builder() {
      return settings.apply(FakeDriver.builder());
    }
  }

  static Mutant of(String row, String fault, Supplier<Deviation> deviation) {
    return new Mutant(row, fault, Config.CSI_1_12, deviation);
  }

  private static Deviation secondTime() {
    Map<String, Integer> times = new HashMap<>();
    return Deviations.refuse(
        "CreateVolume",
        CreateVolumeRequest.class,
        r -> times.merge(r.getName(), 1, Integer::sum) == 2,
        Status.Code.ABORTED);
  }

  Mutant in(Config other) {
    return new Mutant(row, fault, other, deviation);
  }

  @Override
  public String toString() {
    return row + ": " + fault;
  }
}
