package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.absent;
import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.both;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.hides;
import static dev.csijava.testkit.fake.Deviations.refusal;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseFrom;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.List;
import java.util.stream.Stream;

/** Drivers that are not what they say they are. The kit asks once before any case. */
final class CapabilityMutants {
  private static final String CONTROLLER = "ControllerGetCapabilities";
  private static final String GROUP = "GroupControllerGetCapabilities";
  private static final String NODE = "NodeGetCapabilities";

  private CapabilityMutants() {}

  static List<Mutant> all() {
    return Stream.of(served(), consistent(), kept()).flatMap(List::stream).toList();
  }

  private static List<Mutant> served() {
    return List.of(
        Mutant.of("GEN-RPC-001", "has no info of its node", () -> absent("NodeGetInfo")),
        Mutant.of("GEN-RPC-002", "tells what it can do once", () -> once(CONTROLLER)),
        Mutant.of("GEN-RPC-003", "stages nothing", () -> absent("NodeStageVolume")),
        Mutant.of(
                "GEN-RPC-004",
                "hangs up over what it lacks",
                () -> code("ListVolumes", Code.UNIMPLEMENTED, Code.UNAVAILABLE))
            .in(Config.WITHOUT_LISTS),
        Mutant.of(
                "GEN-RPC-005",
                "lists volumes, and does not say so",
                () -> accept("ListVolumes", "does not offer"))
            .in(Config.WITHOUT_LISTS),
        Mutant.of("GEN-RPC-006", "has no identity", () -> absent("GetPluginInfo")),
        Mutant.of("GEN-RPC-007", "does not understand", () -> absent("GetPluginInfo")),
        Mutant.of("IDENT-CAPS-001", "tells its services once", () -> once("GetPluginCapabilities")),
        Mutant.of("IDENT-CAPS-004", "validates nothing", CapabilityMutants::noValidation),
        Mutant.of("IDENT-CAPS-005", "has its controller elsewhere", () -> once(CONTROLLER)),
        Mutant.of("IDENT-CAPS-007", "has its groups elsewhere", () -> once(GROUP)),
        Mutant.of("IDENT-CAPS-008", "knows no changes", () -> absent("GetMetadataDelta")),
        Mutant.of(
            "IDENT-PROBE-006",
            "answers the first Probe",
            () -> refuseFrom("Probe", 2, Code.FAILED_PRECONDITION)),
        Mutant.of("CTRL-CAPS-001", "is asked once", () -> once(CONTROLLER)),
        Mutant.of("CTRL-CAPS-002", "has no validation", CapabilityMutants::noValidation),
        Mutant.of("NODE-CAPS-001", "is asked once", () -> once(NODE)),
        Mutant.of("NODE-INFO-001", "has no info", () -> absent("NodeGetInfo")),
        Mutant.of("GROUP-CAPS-001", "reports groups, and has none", () -> absent(GROUP)),
        Mutant.of("GROUP-CAPS-002", "can't say that it has none", () -> once(GROUP)));
  }

  private static List<Mutant> consistent() {
    return List.of(
        Mutant.of(
            "IDENT-CAPS-009",
            "grows online, and nowhere",
            () ->
                both(
                    hides(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME),
                    hides(NodeServiceCapability.RPC.Type.EXPAND_VOLUME))),
        Mutant.of(
                "IDENT-CAPS-010",
                "grows offline, and not at the controller",
                () -> hides(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME))
            .in(Config.OFFLINE),
        Mutant.of(
            "CTRL-CAPS-003",
            "lists nodes, and attaches to none",
            () -> hides(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME)),
        Mutant.of(
            "CTRL-GETSNAP-006",
            "makes groups whose members can't be got",
            () ->
                end(
                    "GetSnapshot",
                    (request, outcome) ->
                        outcome.replies().stream()
                                .map(GetSnapshotResponse.class::cast)
                                .anyMatch(r -> !r.getSnapshot().getGroupSnapshotId().isEmpty())
                            ? refusal(Code.NOT_FOUND)
                            : outcome)));
  }

  private static List<Mutant> kept() {
    return List.of(
        Mutant.of("CTRL-CAPS-004", "restores nothing", () -> from(r -> r.hasSnapshot())),
        Mutant.of("CTRL-CAPS-005", "clones nothing", () -> from(r -> r.hasVolume())),
        Mutant.of(
            "CTRL-CAPS-006",
            "makes no volumes of finer modes",
            () ->
                refuse(
                    "CreateVolume",
                    CreateVolumeRequest.class,
                    r ->
                        AccessModes.FINER.contains(
                            r.getVolumeCapabilities(0).getAccessMode().getMode()),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-CAPS-003",
            "publishes no volumes of finer modes",
            () ->
                refuse(
                    "NodePublishVolume",
                    NodePublishVolumeRequest.class,
                    r ->
                        AccessModes.FINER.contains(
                            r.getVolumeCapability().getAccessMode().getMode()),
                    Code.FAILED_PRECONDITION)));
  }

  private static Deviation once(String rpc) {
    return refuseFrom(rpc, 2, Code.UNIMPLEMENTED);
  }

  private static Deviation noValidation() {
    return absent("ValidateVolumeCapabilities");
  }

  private static Deviation from(
      java.util.function.Predicate<dev.csijava.spec.v1.VolumeContentSource> kind) {
    return refuse(
        "CreateVolume",
        CreateVolumeRequest.class,
        r -> kind.test(r.getVolumeContentSource()),
        Code.INVALID_ARGUMENT);
  }
}
