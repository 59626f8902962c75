package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.csijava.core.health.ControllerHealth;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.PluginCapability.VolumeExpansion;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver advertises follows from what is registered; what contradicts itself is refused. */
class CsiDriverTest {
  private final EveryCapability every = new EveryCapability();

  private static CsiDriver.Builder driver() {
    return CsiDriver.named("some.example.com").version("1.0.0");
  }

  private static CapabilityReplies replies(CsiDriver driver, SpecVersion version) {
    return new CapabilityReplies(driver.capabilities(), version);
  }

  @Test
  void everythingIsServedWhenEverythingIsRegistered() {
    CsiDriver driver = every.driver().build();
    for (Rpc rpc : Rpc.values()) {
      assertThat(driver.handlers().has(rpc)).as(rpc.title()).isTrue();
    }
  }

  @Test
  void inThe112SwitchHealthIsVolumeConditionAndNo113ValueIsAdvertised() {
    CapabilityReplies replies = replies(every.driver().build(), SpecVersion.V1_12);
    assertThat(controllerTypes(replies))
        .contains("VOLUME_CONDITION", "CREATE_DELETE_VOLUME", "MODIFY_VOLUME", "GET_SNAPSHOT")
        .doesNotContain("GET_VOLUME_HEALTH", "LIST_VOLUME_HEALTH");
    assertThat(nodeTypes(replies))
        .contains("VOLUME_CONDITION", "STAGE_UNSTAGE_VOLUME", "VOLUME_MOUNT_GROUP")
        .doesNotContain("GET_VOLUME_HEALTH", "GET_STORAGE_HEALTH");
    assertThat(pluginTypes(replies))
        .containsExactlyInAnyOrder(
            "CONTROLLER_SERVICE",
            "VOLUME_ACCESSIBILITY_CONSTRAINTS",
            "GROUP_CONTROLLER_SERVICE",
            "SNAPSHOT_METADATA_SERVICE",
            "ONLINE");
  }

  @Test
  void inThe113SwitchHealthHasItsOwnCapabilitiesAndVolumeConditionIsGone() {
    CapabilityReplies replies = replies(every.driver().build(), SpecVersion.V1_13);
    assertThat(controllerTypes(replies))
        .contains("GET_VOLUME_HEALTH", "LIST_VOLUME_HEALTH")
        .doesNotContain("VOLUME_CONDITION");
    assertThat(nodeTypes(replies))
        .contains("GET_VOLUME_HEALTH", "GET_STORAGE_HEALTH")
        .doesNotContain("VOLUME_CONDITION");
    assertThat(pluginTypes(replies)).contains("SNAPSHOT_ACCESSIBILITY_CONSTRAINTS");
  }

  @Test
  @Proves("IDENT-CAPS-005")
  void aMinimalNodeAdvertisesNothing() {
    CsiDriver driver = driver().node(n -> n.id("n").publishing(every)).build();
    CapabilityReplies replies = replies(driver, SpecVersion.V1_12);
    assertThat(pluginTypes(replies)).isEmpty();
    assertThat(nodeTypes(replies)).isEmpty();
    assertThat(driver.handlers().has(Rpc.NODE_STAGE_VOLUME)).isFalse();
    assertThat(driver.handlers().has(Rpc.CREATE_VOLUME)).isFalse();
    assertThat(driver.handlers().has(Rpc.CONTROLLER_GET_CAPABILITIES)).isFalse();
  }

  @Test
  void eachHandlerStandsForItsOwnCapabilityOnly() {
    Map<Consumer<ControllerBuilder>, ControllerServiceCapability.RPC.Type> pairs =
        Map.of(
            c -> c.listing(every), ControllerServiceCapability.RPC.Type.LIST_VOLUMES,
            c -> c.lookup(every), ControllerServiceCapability.RPC.Type.GET_VOLUME,
            c -> c.capacity(every), ControllerServiceCapability.RPC.Type.GET_CAPACITY,
            c -> c.attachments(every),
                ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
            c -> c.snapshotListing(every), ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS,
            c -> c.snapshotLookup(every), ControllerServiceCapability.RPC.Type.GET_SNAPSHOT,
            c -> c.modification(every), ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
    pairs.forEach(
        (registration, type) -> {
          CsiDriver driver =
              driver().controller(c -> c.validation(every)).controller(registration).build();
          assertThat(driver.capabilities().controller()).containsExactly(type);
        });
  }

  @Test
  void volumeConditionIsOnlyAdvertisedWhereACallerCanReadIt() {
    ControllerHealth health = every;
    CsiDriver blind = driver().controller(c -> c.validation(every).health(health)).build();
    assertThat(blind.capabilities().controller())
        .doesNotContain(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
    CsiDriver node = driver().node(n -> n.id("n").publishing(every).health(every)).build();
    assertThat(node.capabilities().node())
        .doesNotContain(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
  }

  @Test
  @Proves("IDENT-CAPS-002")
  void anInstanceThatServesOneSideReportsTheSamePluginCapabilities() {
    CsiDriver all = every.driver().build();
    CsiDriver node = every.driver().mode(Mode.NODE).build();
    CsiDriver controller = every.driver().mode(Mode.CONTROLLER).build();
    assertThat(replies(node, SpecVersion.V1_12).plugin())
        .isEqualTo(replies(all, SpecVersion.V1_12).plugin())
        .isEqualTo(replies(controller, SpecVersion.V1_12).plugin());
    assertThat(node.handlers().has(Rpc.CREATE_VOLUME)).isFalse();
    assertThat(node.handlers().has(Rpc.GET_METADATA_DELTA)).isFalse();
    assertThat(node.handlers().has(Rpc.NODE_GET_INFO)).isTrue();
    assertThat(controller.handlers().has(Rpc.NODE_GET_INFO)).isFalse();
    assertThat(controller.handlers().has(Rpc.CREATE_VOLUME)).isTrue();
  }

  @Test
  void aControllerInstanceNeedsNoNodeId() {
    assertThat(
            driver()
                .mode(Mode.CONTROLLER)
                .controller(c -> c.volumes(every))
                .node(n -> n.publishing(every))
                .build()
                .handlers()
                .has(Rpc.CREATE_VOLUME))
        .isTrue();
  }

  @Test
  void aDriverWithoutControllerAndNodeIsRefused() {
    refused(driver(), "neither a controller nor a node");
  }

  @Test
  void aDriverWithoutVersionIsRefused() {
    refused(CsiDriver.named("a.b").node(n -> n.id("n").publishing(every)), "no version");
  }

  @Test
  void aModeWithoutItsSideIsRefused() {
    refused(
        driver().mode(Mode.CONTROLLER).node(n -> n.id("n").publishing(every)),
        "mode is CONTROLLER");
    refused(driver().mode(Mode.NODE).controller(c -> c.volumes(every)), "mode is NODE");
  }

  @Test
  @Proves({"GEN-OP-003", "IDENT-CAPS-004"})
  void aControllerWithoutValidationIsRefused() {
    refused(driver().controller(c -> c.listing(every)), "ValidateVolumeCapabilities");
  }

  @Test
  void cloningWithoutVolumesIsRefused() {
    refused(driver().controller(c -> c.validation(every).cloning()), "cloning() needs volumes");
  }

  @Test
  void snapshotsWithoutVolumesAreRefused() {
    refused(
        driver().controller(c -> c.validation(every).snapshots(every)),
        "snapshots(...) needs volumes");
  }

  @Test
  void readonlyAttachmentWithoutAttachmentIsRefused() {
    refused(
        driver().controller(c -> c.volumes(every).publishReadonly()),
        "publishReadonly() needs attachments");
  }

  @Test
  @Proves("CTRL-CAPS-003")
  void publishedNodesWithoutAttachmentAreRefused() {
    refused(
        driver().controller(c -> c.volumes(every).listing(every).publishedNodes()),
        "publishedNodes() needs attachments");
  }

  @Test
  void publishedNodesWithoutListingAreRefused() {
    refused(
        driver().controller(c -> c.volumes(every).attachments(every).publishedNodes()),
        "publishedNodes() needs listing");
  }

  @Test
  void aNodeWithoutPublishingIsRefused() {
    refused(driver().node(n -> n.id("n").staging(every)), "publishing(...)");
  }

  @Test
  void aNodeWithoutIdIsRefused() {
    refused(driver().node(n -> n.publishing(every)), "no id");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().node(n -> n.id(" ")))
        .withMessageContaining("node id is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().node(n -> n.id(System.getenv("CSI_NO_SUCH_VARIABLE"))))
        .withMessageContaining("node id is empty");
  }

  @Test
  void aNodeIdOverItsLimitIsRefused() {
    refused(driver().node(n -> n.id("é".repeat(129)).publishing(every)), "256 bytes");
    assertThat(driver().node(n -> n.id("é".repeat(128)).publishing(every)).build()).isNotNull();
  }

  @Test
  void sidesThatDisagreeAboutSingleNodeMultiWriterAreRefused() {
    refused(
        driver()
            .controller(c -> c.volumes(every).singleNodeMultiWriter())
            .node(n -> n.id("n").publishing(every)),
        "disagree about singleNodeMultiWriter");
    refused(
        driver()
            .controller(c -> c.volumes(every))
            .node(n -> n.id("n").publishing(every).singleNodeMultiWriter()),
        "disagree about singleNodeMultiWriter");
  }

  @Test
  void topologyOnOneSideOnlyIsRefused() {
    refused(
        driver()
            .controller(c -> c.volumes(every).topology())
            .node(n -> n.id("n").publishing(every)),
        "the node reports none");
    refused(
        driver()
            .controller(c -> c.volumes(every))
            .node(n -> n.id("n").publishing(every).topology(Map.of("a/b", "c"))),
        "does not honour it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().node(n -> n.topology(Map.of())))
        .withMessageContaining("no segment");
  }

  @Test
  void topologyWithoutVolumesIsRefused() {
    refused(
        driver().controller(c -> c.validation(every).topology()), "topology() of the controller");
  }

  @Test
  void volumesThatAreOnlyListedMayHaveATopology() {
    CsiDriver built =
        driver()
            .controller(c -> c.validation(every).listing(every).topology())
            .node(n -> n.id("n").publishing(every).topology(Map.of("a/b", "c")))
            .build();
    assertThat(
            built
                .capabilities()
                .has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS))
        .isTrue();
  }

  @Test
  void snapshotTopologyWithoutSnapshotsOrTopologyIsRefused() {
    refused(
        driver().controller(c -> c.volumes(every).snapshots(every).snapshotTopology()),
        "snapshotTopology() needs");
    refused(
        driver().controller(c -> c.volumes(every).topology().snapshotTopology()),
        "snapshotTopology() needs");
  }

  @Test
  void expansionWithoutAWordOnOnlineOrOfflineIsRefused() {
    refused(driver().controller(c -> c.volumes(every).expansion(every)), "volumeExpansion(ONLINE)");
    refused(
        driver().node(n -> n.id("n").publishing(every).expansion(every)),
        "volumeExpansion(ONLINE)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> driver().volumeExpansion(VolumeExpansion.Type.UNKNOWN));
  }

  @Test
  @Proves("IDENT-CAPS-009")
  void onlineExpansionWithoutAHandlerIsRefused() {
    refused(
        driver().controller(c -> c.volumes(every)).volumeExpansion(VolumeExpansion.Type.ONLINE),
        "volumeExpansion(ONLINE) needs");
  }

  @Test
  @Proves("IDENT-CAPS-010")
  void offlineExpansionWithoutTheControllersHandlerIsRefused() {
    refused(
        driver()
            .controller(c -> c.volumes(every))
            .node(n -> n.id("n").publishing(every).expansion(every))
            .volumeExpansion(VolumeExpansion.Type.OFFLINE),
        "volumeExpansion(OFFLINE) needs");
  }

  @Test
  void groupSnapshotsWithoutSnapshotsAreRefused() {
    refused(
        driver().controller(c -> c.volumes(every)).groupSnapshots(every),
        "groupSnapshots(...) needs snapshots");
  }

  @Test
  void snapshotMetadataWithoutSnapshotsIsRefused() {
    refused(
        driver().controller(c -> c.volumes(every)).snapshotMetadata(every),
        "snapshotMetadata(...) needs snapshots");
  }

  @Test
  void aCapabilityRegisteredTwiceIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> driver().controller(c -> c.volumes(every).volumes(every)))
        .withMessageContaining("CreateVolume is registered twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-a", "a-", "a..b", ".a", "a.", "a_b", "a b", "a/b", "ä", "a.-b", "a\n"})
  void aNameThatIsNoDomainNameIsRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> CsiDriver.named(name));
  }

  @Test
  void aNameMayHave63CharactersAndNoMore() {
    assertThat(CsiDriver.named("a".repeat(63))).isNotNull();
    assertThatIllegalArgumentException().isThrownBy(() -> CsiDriver.named("a".repeat(64)));
  }

  @Test
  void aControllerInstanceStandsNowhereInParticular() {
    CsiDriver.Builder split =
        driver()
            .controller(c -> c.volumes(every).topology())
            .node(n -> n.id("n").publishing(every));
    refused(split, "call topology(...) on the node");
    assertThat(split.mode(Mode.CONTROLLER).build().capabilities().plugin())
        .contains(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
  }

  @Test
  void whatCouldNeverBeAnsweredIsRefusedBeforeAnybodyAsks() {
    refused(
        driver().version("1".repeat(129)).node(n -> n.id("n").publishing(every)),
        "GetPluginInfo could never be answered: vendor_version has 129 bytes");
    refused(
        driver().manifest(Map.of("k", "v".repeat(4096))).node(n -> n.id("n").publishing(every)),
        "GetPluginInfo could never be answered: manifest has 4097 bytes");
    CsiDriver.Builder misplaced =
        driver()
            .controller(c -> c.volumes(every).topology())
            .node(n -> n.id("n").publishing(every).topology(Map.of("a.b/node", "node 1")));
    refused(
        misplaced,
        "NodeGetInfo could never be answered: accessible_topology.segments has under the key"
            + " \"a.b/node\" a value that is not 1 to 63 letters");
    assertThat(misplaced.mode(Mode.CONTROLLER).build()).as("asked for no node").isNotNull();
  }

  private static void refused(CsiDriver.Builder builder, String sentence) {
    assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining(sentence);
  }

  private static Set<String> controllerTypes(CapabilityReplies replies) {
    return replies.controller().getCapabilitiesList().stream()
        .map(c -> c.getRpc().getType().name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> nodeTypes(CapabilityReplies replies) {
    return replies.node().getCapabilitiesList().stream()
        .map(c -> c.getRpc().getType().name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> pluginTypes(CapabilityReplies replies) {
    return replies.plugin().getCapabilitiesList().stream()
        .map(
            c ->
                c.getTypeCase() == PluginCapability.TypeCase.SERVICE
                    ? c.getService().getType().name()
                    : c.getVolumeExpansion().getType().name())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
