package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.PluginCapability.VolumeExpansion;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is advertised is served, and nothing else is: seen by a caller, over a real socket. */
@Timeout(60)
class ServedRpcsTest {
  private static final EveryCapability EVERY = new EveryCapability();

  /** Which capability each RPC needs, as the inventory says; a dash is none. */
  private static final Map<Rpc, String> NEEDED = needed();

  /** A driver that offers something, and the capabilities that follow from it. */
  record Offer(Set<String> capabilities, CsiDriver driver) {
    @Override
    public String toString() {
      return capabilities.toString();
    }
  }

  private static CsiDriver.Builder named() {
    return CsiDriver.named("some.example.com").version("1").advertise(SpecVersion.V1_13);
  }

  private static Offer offer(String capabilities, CsiDriver.Builder driver) {
    return new Offer(new TreeSet<>(Arrays.asList(capabilities.split(" ", -1))), driver.build());
  }

  private static Offer controller(String capability, Consumer<ControllerBuilder> registration) {
    return offer(
        "plugin:CONTROLLER_SERVICE" + capability,
        named().controller(c -> c.validation(EVERY)).controller(registration));
  }

  private static Offer node(String capability, Consumer<NodeBuilder> registration) {
    return offer(
        "node" + capability, named().node(n -> n.id("n").publishing(EVERY)).node(registration));
  }

  static List<Offer> offers() {
    String snapshots =
        "plugin:CONTROLLER_SERVICE ctrl:CREATE_DELETE_VOLUME ctrl:CREATE_DELETE_SNAPSHOT";
    return List.of(
        controller("", c -> {}),
        offer(
            "plugin:CONTROLLER_SERVICE ctrl:CREATE_DELETE_VOLUME",
            named().controller(c -> c.volumes(EVERY))),
        controller(" ctrl:LIST_VOLUMES", c -> c.listing(EVERY)),
        controller(" ctrl:GET_VOLUME", c -> c.lookup(EVERY)),
        controller(" ctrl:PUBLISH_UNPUBLISH_VOLUME", c -> c.attachments(EVERY)),
        controller(" ctrl:GET_CAPACITY", c -> c.capacity(EVERY)),
        controller(" ctrl:LIST_SNAPSHOTS", c -> c.snapshotListing(EVERY)),
        controller(" ctrl:GET_SNAPSHOT", c -> c.snapshotLookup(EVERY)),
        controller(" ctrl:MODIFY_VOLUME", c -> c.modification(EVERY)),
        controller(" ctrl:GET_VOLUME_HEALTH ctrl:LIST_VOLUME_HEALTH", c -> c.health(EVERY)),
        offer(
            "plugin:CONTROLLER_SERVICE ctrl:EXPAND_VOLUME expansion:ONLINE",
            named()
                .controller(c -> c.validation(EVERY).expansion(EVERY))
                .volumeExpansion(VolumeExpansion.Type.ONLINE)),
        offer(snapshots, named().controller(c -> c.volumes(EVERY).snapshots(EVERY))),
        offer(
            snapshots
                + " plugin:GROUP_CONTROLLER_SERVICE group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
            named().controller(c -> c.volumes(EVERY).snapshots(EVERY)).groupSnapshots(EVERY)),
        offer(
            snapshots + " plugin:SNAPSHOT_METADATA_SERVICE",
            named().controller(c -> c.volumes(EVERY).snapshots(EVERY)).snapshotMetadata(EVERY)),
        node("", n -> {}),
        node(" node:STAGE_UNSTAGE_VOLUME", n -> n.staging(EVERY)),
        node(" node:GET_VOLUME_STATS", n -> n.stats(EVERY)),
        node(" node:GET_VOLUME_HEALTH", n -> n.health(EVERY)),
        node(" node:GET_STORAGE_HEALTH", n -> n.storageHealth(EVERY)),
        offer(
            "node node:EXPAND_VOLUME expansion:ONLINE",
            named()
                .node(n -> n.id("n").publishing(EVERY).expansion(EVERY))
                .volumeExpansion(VolumeExpansion.Type.ONLINE)));
  }

  private static Map<Rpc, String> needed() {
    Map<Rpc, String> needed = new EnumMap<>(Rpc.class);
    for (RequirementsDocument.Row row : new RequirementsDocument().rows().values()) {
      if (!row.capability().startsWith("no ")) {
        for (Rpc rpc : Rpc.values()) {
          if (row.rpc().equals(rpc.title())
              || (row.rpc().equals("(both streams)") && rpc.streams())) {
            needed.putIfAbsent(rpc, row.capability());
          }
        }
      }
    }
    // The row asks for it where volumes are attached; a node answers it always.
    needed.put(Rpc.NODE_GET_INFO, "-");
    return needed;
  }

  private static boolean expected(Rpc rpc, Set<String> reported) {
    String needed = Objects.requireNonNull(NEEDED.get(rpc), rpc.title());
    if (needed.equals("-")) {
      return rpc.service().equals("csi.v1.Identity") || reported.contains("node");
    }
    return Arrays.stream(needed.split("/", -1)).anyMatch(reported::contains);
  }

  /** All that the caller is told, in the words of the inventory. */
  private static Set<String> reported(ManagedChannel channel) {
    Set<String> reported = new TreeSet<>();
    IdentityGrpc.newBlockingStub(channel)
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(
            c ->
                reported.add(
                    c.hasService()
                        ? "plugin:" + c.getService().getType()
                        : "expansion:" + c.getVolumeExpansion().getType()));
    if (serves(channel, Rpc.CONTROLLER_GET_CAPABILITIES)) {
      ControllerGrpc.newBlockingStub(channel)
          .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(c -> reported.add("ctrl:" + c.getRpc().getType()));
    }
    if (serves(channel, Rpc.GROUP_CONTROLLER_GET_CAPABILITIES)) {
      GroupControllerGrpc.newBlockingStub(channel)
          .groupControllerGetCapabilities(
              GroupControllerGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(c -> reported.add("group:" + c.getRpc().getType()));
    }
    if (serves(channel, Rpc.NODE_GET_CAPABILITIES)) {
      reported.add("node");
      NodeGrpc.newBlockingStub(channel)
          .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(c -> reported.add("node:" + c.getRpc().getType()));
    }
    return reported;
  }

  private static boolean serves(ManagedChannel channel, Rpc rpc) {
    return WireCalls.call(channel, rpc).getCode() != Status.Code.UNIMPLEMENTED;
  }

  @ParameterizedTest
  @MethodSource("offers")
  @Proves({
    "CTRL-CAPACITY-001",
    "CTRL-CAPS-001",
    "CTRL-CAPS-002",
    "CTRL-CREATE-001",
    "CTRL-DELETE-001",
    "CTRL-DELSNAP-001",
    "CTRL-EXPAND-001",
    "CTRL-GETSNAP-001",
    "CTRL-GETVOL-001",
    "CTRL-LISTSNAP-001",
    "CTRL-LISTVOL-001",
    "CTRL-MODIFY-001",
    "CTRL-PUB-001",
    "CTRL-SNAP-001",
    "CTRL-UNPUB-001",
    "CTRL-VALIDATE-001",
    "GEN-RPC-004",
    "GEN-RPC-005",
    "GROUP-CAPS-001",
    "GROUP-CAPS-003",
    "GROUP-CREATE-001",
    "GROUP-DELETE-001",
    "GROUP-GET-001",
    "IDENT-CAPS-003",
    "IDENT-CAPS-004",
    "IDENT-CAPS-005",
    "IDENT-CAPS-007",
    "IDENT-CAPS-008",
    "NODE-CAPS-001",
    "NODE-CAPS-002",
    "NODE-EXPAND-001",
    "NODE-PUB-001",
    "NODE-STAGE-001",
    "NODE-STATS-001",
    "NODE-UNPUB-001",
    "NODE-UNSTAGE-001",
    "SMETA-STREAM-001",
    "V113-CAPS-001",
    "V113-CAPS-002",
    "V113-CAPS-003",
    "V113-CAPS-004",
    "V113-CAPS-005",
    "V113-CAPS-006",
    "V113-CAPS-007",
    "V113-CAPS-008"
  })
  void exactlyWhatIsAdvertisedIsServedAndTheRestIsRefused(Offer offer) {
    try (ServedDriver served = ServedDriver.start(offer.driver())) {
      ManagedChannel channel = served.channel();
      Set<String> reported = reported(channel);
      assertThat(reported).isEqualTo(offer.capabilities());
      for (Rpc rpc : Rpc.values()) {
        Status status = WireCalls.call(channel, rpc);
        assertThat(status.getCode() != Status.Code.UNIMPLEMENTED)
            .as("%s is served; it answers %s", rpc, status)
            .isEqualTo(expected(rpc, reported));
        if (!expected(rpc, reported)) {
          assertThat(status.getDescription()).contains(rpc.title()).contains("lacks");
        }
      }
    }
  }

  @Test
  void theOffersTogetherNeedEveryCapabilityThatAnRpcNeeds() {
    Set<String> offered = new TreeSet<>(Set.of("-"));
    offers().forEach(offer -> offered.addAll(offer.capabilities()));
    assertThat(NEEDED).hasSize(Rpc.values().length);
    assertThat(NEEDED.values())
        .allSatisfy(needed -> assertThat(needed.split("/", -1)).containsAnyElementsOf(offered));
  }

  @ParameterizedTest
  @EnumSource(SpecVersion.class)
  @Proves({
    "GEN-ERR-001",
    "GEN-RPC-001",
    "GEN-RPC-002",
    "GEN-RPC-003",
    "GEN-RPC-006",
    "IDENT-CAPS-001",
    "IDENT-INFO-001",
    "IDENT-PROBE-001",
    "NODE-INFO-009",
    "V113-CAPS-001",
    "V113-CAPS-002",
    "V113-CAPS-003",
    "V113-CAPS-004",
    "V113-WIRE-001"
  })
  void everyRpcOfBothVersionsAnswersAtOneAddressWhicheverIsAdvertised(SpecVersion version) {
    try (ServedDriver served = ServedDriver.start(EVERY.driver().advertise(version).build())) {
      ManagedChannel channel = served.channel();
      // NodeGetInfo is the last of all and asked for once.
      for (Rpc rpc : Rpc.values()) {
        assertThat(WireCalls.call(channel, rpc)).as(rpc.title()).isEqualTo(Status.OK);
      }
      assertThat(reported(channel).contains("ctrl:GET_VOLUME_HEALTH"))
          .isEqualTo(version == SpecVersion.V1_13);
      assertThat(reported(channel).contains("ctrl:VOLUME_CONDITION"))
          .isEqualTo(version == SpecVersion.V1_12);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  @Proves({
    "GEN-OP-002",
    "GEN-RPC-001",
    "GEN-RPC-002",
    "GEN-RPC-003",
    "GEN-RPC-005",
    "IDENT-CAPS-002",
    "IDENT-INFO-001",
    "IDENT-PROBE-001"
  })
  void anInstanceServesItsModesSideWholeAndReportsWhatAllDo(Mode mode) {
    try (ServedDriver unified = ServedDriver.start(EVERY.driver().build());
        ServedDriver served = ServedDriver.start(EVERY.driver().mode(mode).build())) {
      ManagedChannel channel = served.channel();
      for (Rpc rpc : Rpc.values()) {
        boolean ofNode = rpc.service().equals("csi.v1.Node");
        boolean ofIdentity = rpc.service().equals("csi.v1.Identity");
        boolean here = ofIdentity || (ofNode ? mode != Mode.CONTROLLER : mode != Mode.NODE);
        assertThat(WireCalls.call(channel, rpc).getCode())
            .as(rpc.title())
            .isEqualTo(here ? Status.Code.OK : Status.Code.UNIMPLEMENTED);
      }
      Set<String> here = reported(channel);
      Set<String> everywhere = reported(unified.channel());
      assertThat(everywhere).containsAll(here);
      assertThat(here).containsAll(plugin(everywhere));
    }
  }

  private static List<String> plugin(Set<String> capabilities) {
    return capabilities.stream()
        .filter(name -> name.startsWith("plugin:") || name.startsWith("expansion:"))
        .toList();
  }
}
