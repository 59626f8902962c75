package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.absent;
import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.both;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.reply;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Broken CreateVolume: its parameters, sources, places and answers. */
final class CreateMutants {
  private static final String CREATE = "CreateVolume";
  private static final String VALIDATE = "ValidateVolumeCapabilities";
  private static final Topology ELSEWHERE =
      Topology.newBuilder().putSegments("topology.fake.dev/zone", "elsewhere").build();

  private CreateMutants() {}

  static List<Mutant> all() {
    return Stream.of(made(), parameters(), sources(), places()).flatMap(List::stream).toList();
  }

  private static List<Mutant> made() {
    return List.of(
        Mutant.of("CTRL-CREATE-001", "makes nothing", () -> absent(CREATE)),
        Mutant.of("CTRL-CREATE-005", "makes one each time", GeneralMutants::newEachTime),
        Mutant.of("CTRL-CREATE-015", "wants a size", () -> refused(r -> !r.hasCapacityRange())),
        Mutant.of("CTRL-CREATE-023", "has readers, and denies it", CreateMutants::noReaders),
        Mutant.of("CTRL-CREATE-054", "has one id", () -> volume(v -> v.setVolumeId("the-id"))),
        Mutant.of("CTRL-CREATE-055", "is below zero", () -> volume(v -> v.setCapacityBytes(-1))),
        Mutant.of(
            "CTRL-CREATE-058",
            "knows volumes by their context",
            () ->
                refuse(
                    VALIDATE,
                    ValidateVolumeCapabilitiesRequest.class,
                    r -> r.getVolumeContextCount() == 0,
                    Code.NOT_FOUND)),
        Mutant.of("CTRL-CREATE-059", "loses the first one", GeneralMutants::newEachTime));
  }

  private static List<Mutant> parameters() {
    return List.of(
        Mutant.of(
            "CTRL-CREATE-011",
            "forgets mutable parameters",
            () -> accept(CREATE, "was made with other mutable parameters")),
        Mutant.of(
                "CTRL-CREATE-025",
                "calls a strange parameter an inner fault",
                () -> code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Config.PARAMETERS),
        Mutant.of(
            "CTRL-CREATE-026",
            "looks at the value that is overruled",
            () -> refused(r -> r.getParametersMap().containsValue("csi-testkit-overruled"))),
        Mutant.of(
            "CTRL-CREATE-027",
            "takes no mutable parameters",
            () -> refused(r -> r.getMutableParamsCount() > 0)),
        Mutant.of(
            "CTRL-CREATE-028",
            "takes any mutable parameter",
            () -> accept(CREATE, "a mutable parameter or its value")),
        Mutant.of(
                "CTRL-CREATE-029",
                "calls mutable parameters an inner fault",
                () -> code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Config.WITHOUT_MODIFY));
  }

  private static List<Mutant> sources() {
    return List.of(
        Mutant.of("CTRL-CREATE-018", "restores to the old size", () -> copy(v -> size(v, 1))),
        Mutant.of(
            "CTRL-CREATE-021",
            "falls over more room than the source has",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r -> r.hasVolumeContentSource() && r.getCapacityRange().getLimitBytes() > 0,
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-CREATE-030",
            "restores nothing",
            () -> refused(r -> r.getVolumeContentSource().hasSnapshot())),
        Mutant.of(
            "CTRL-CREATE-031",
            "clones nothing",
            () -> refused(r -> r.getVolumeContentSource().hasVolume())),
        Mutant.of("CTRL-CREATE-031", "takes the source for its clone", CreateMutants::sourceItself),
        Mutant.of(
                "CTRL-CREATE-032",
                "leaves out the source that it can't copy",
                () -> accept(CREATE, "makes no volume from"))
            .in(Config.WITHOUT_CLONES),
        Mutant.of(
            "CTRL-CREATE-037", "copies what has no id", () -> accept(CREATE, "of the source is r")),
        Mutant.of(
            "CTRL-CREATE-038",
            "names another source",
            () ->
                copy(
                    v ->
                        v.setContentSource(
                            VolumeContentSource.newBuilder()
                                .setVolume(
                                    VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId("other"))))));
  }

  private static List<Mutant> places() {
    return List.of(
        Mutant.of(
            "CTRL-CREATE-009",
            "does not look where a volume lies",
            () -> accept(CREATE, "can't be reached from there")),
        Mutant.of(
                "CTRL-CREATE-039",
                "calls a place an inner fault",
                () -> code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL))
            .in(Config.WITHOUT_TOPOLOGY),
        Mutant.of(
            "CTRL-CREATE-040",
            "takes a requirement of nothing",
            () -> accept(CREATE, "needs requisite or preferred")),
        Mutant.of("CTRL-CREATE-041", "goes elsewhere", CreateMutants::elsewhere),
        Mutant.of("CTRL-CREATE-042", "goes nowhere", () -> volume(CreateMutants::nowhere)),
        Mutant.of("CTRL-CREATE-043", "goes where it likes", CreateMutants::elsewhere),
        Mutant.of("CTRL-CREATE-044", "picks what was not listed", CreateMutants::elsewhere),
        Mutant.of("CTRL-CREATE-044", "picks nothing", () -> volume(CreateMutants::nowhere)),
        Mutant.of(
                "CTRL-CREATE-045",
                "leaves out what must be",
                () -> volume(v -> v.setAccessibleTopology(0, ELSEWHERE)))
            .in(Config.TWO_ZONES_A_VOLUME),
        Mutant.of("CTRL-CREATE-046", "prefers another place", CreateMutants::elsewhere),
        Mutant.of(
            "CTRL-CREATE-047",
            "prefers what is not allowed",
            () -> both(accept(CREATE, "is not among the requisite"), elsewhere())),
        Mutant.of(
            "CTRL-CREATE-048",
            "knows the preferred place only",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r ->
                        r.getAccessibilityRequirements().getPreferredList().stream()
                            .anyMatch(one -> one.getSegmentsMap().containsValue("no-such-place")),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-CREATE-049", "goes anywhere then", () -> accept(CREATE, "no room, or no way")),
        Mutant.of(
                "CTRL-CREATE-050",
                "calls a full place an inner fault",
                () -> code(CREATE, Code.RESOURCE_EXHAUSTED, Code.INTERNAL))
            .in(Config.FULL),
        Mutant.of(
            "CTRL-CREATE-051",
            "wants to be told where",
            () -> refused(r -> !r.hasAccessibilityRequirements())),
        Mutant.of(
            "GEN-TOPO-008", "takes any topology", () -> accept(CREATE, "malformed key or value")));
  }

  private static Deviation refused(Predicate<CreateVolumeRequest> which) {
    return refuse(CREATE, CreateVolumeRequest.class, which, Code.INVALID_ARGUMENT);
  }

  private static Deviation elsewhere() {
    return volume(v -> v.clearAccessibleTopology().addAccessibleTopology(ELSEWHERE));
  }

  private static void nowhere(Volume.Builder volume) {
    volume.clearAccessibleTopology().addAccessibleTopology(Topology.getDefaultInstance());
  }

  private static Deviation noReaders() {
    return end(
        VALIDATE,
        (request, outcome) ->
            ((ValidateVolumeCapabilitiesRequest) request)
                    .getVolumeCapabilitiesList().stream()
                        .anyMatch(
                            one -> one.getAccessMode().getMode() == Mode.MULTI_NODE_READER_ONLY)
                ? Deviation.Outcome.of(ValidateVolumeCapabilitiesResponse.getDefaultInstance())
                : outcome);
  }

  private static Deviation sourceItself() {
    return end(
        CREATE,
        (request, outcome) -> {
          VolumeContentSource source = ((CreateVolumeRequest) request).getVolumeContentSource();
          if (!outcome.status().isOk() || !source.hasVolume()) {
            return outcome;
          }
          CreateVolumeResponse.Builder same =
              ((CreateVolumeResponse) outcome.replies().get(0)).toBuilder();
          same.getVolumeBuilder().setVolumeId(source.getVolume().getVolumeId());
          return Deviation.Outcome.of(same.build());
        });
  }

  private static void size(Volume.Builder volume, long bytes) {
    volume.setCapacityBytes(bytes);
  }

  private static Deviation copy(Consumer<Volume.Builder> change) {
    return volume(
        v -> {
          if (v.hasContentSource()) {
            change.accept(v);
          }
        });
  }

  private static Deviation volume(Consumer<Volume.Builder> change) {
    return reply(
        CREATE,
        CreateVolumeResponse.class,
        r -> {
          CreateVolumeResponse.Builder changed = r.toBuilder();
          change.accept(changed.getVolumeBuilder());
          return changed.build();
        });
  }
}
