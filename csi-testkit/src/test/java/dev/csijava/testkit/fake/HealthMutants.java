package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.before;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.StorageHealthErrorType;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.List;
import java.util.stream.Stream;

/** Broken health of CSI 1.13. */
final class HealthMutants {
  private static final String GET = "ControllerGetVolumeHealth";
  private static final String LIST = "ControllerListVolumeHealth";
  private static final String ON_NODE = "NodeGetVolumeHealth";
  private static final String STORAGE = "NodeGetStorageHealth";

  private HealthMutants() {}

  static List<Mutant> all() {
    return Stream.concat(newer(), older()).toList();
  }

  private static Stream<Mutant> newer() {
    return Stream.of(
            Mutant.of(
                "V113-WIRE-001",
                "knows no fields of tomorrow",
                () ->
                    refuse(
                        "Probe",
                        Message.class,
                        r -> !r.getUnknownFields().asMap().isEmpty(),
                        Code.INVALID_ARGUMENT)),
            missing("V113-CAPS-001", GET),
            missing("V113-CAPS-002", LIST),
            missing("V113-CAPS-003", ON_NODE),
            missing("V113-CAPS-004", STORAGE),
            Mutant.of("V113-CHEALTH-001", "no volume is healthy", () -> accept(GET, "is required")),
            Mutant.of(
                "V113-CHEALTH-002",
                "calls an unknown volume an inner fault",
                () -> code(GET, Code.NOT_FOUND, Code.INTERNAL)),
            Mutant.of(
                "V113-CHEALTH-003",
                "calls a healthy volume ill",
                () ->
                    before(
                        GET,
                        ControllerGetVolumeHealthRequest.class,
                        (state, r) -> ail(state, r.getVolumeId()))),
            Mutant.of("V113-LHEALTH-001", "lists healthy volumes", HealthMutants::listsAll),
            Mutant.of(
                "V113-LHEALTH-004",
                "calls a strange token a wrong argument",
                () -> code(LIST, Code.ABORTED, Code.INVALID_ARGUMENT)),
            Mutant.of("V113-NHEALTH-001", "looks nowhere", () -> accept(ON_NODE, "is required")),
            Mutant.of("V113-NHEALTH-002", "looks anywhere", () -> accept(ON_NODE, "at that path")),
            Mutant.of(
                "V113-NHEALTH-003",
                "calls a healthy volume ill on its node",
                () ->
                    before(
                        ON_NODE,
                        NodeGetVolumeHealthRequest.class,
                        (state, r) -> ail(state, r.getVolumeId()))),
            Mutant.of(
                "V113-NHEALTH-003",
                "says nothing of a volume",
                () ->
                    Deviations.reply(
                        ON_NODE,
                        NodeGetVolumeHealthResponse.class,
                        r -> NodeGetVolumeHealthResponse.getDefaultInstance())),
            Mutant.of(
                "V113-SHEALTH-001",
                "calls a healthy back end ill",
                () ->
                    before(
                        STORAGE,
                        NodeGetStorageHealthRequest.class,
                        (state, r) ->
                            state.storageHealth.add(
                                StorageBackendHealth.newBuilder()
                                    .setStatus(StorageHealthErrorType.STORAGE_DEGRADED)
                                    .setReason("Slow")
                                    .build()))))
        .map(mutant -> mutant.in(Config.CSI_1_13));
  }

  private static Stream<Mutant> older() {
    return Stream.of(
            present("V113-CAPS-005", GET),
            present("V113-CAPS-006", LIST),
            present("V113-CAPS-007", ON_NODE),
            present("V113-CAPS-008", STORAGE))
        .map(mutant -> mutant.in(Config.WITHOUT_CONDITIONS));
  }

  private static Mutant missing(String row, String rpc) {
    return Mutant.of(
        row,
        "reports " + rpc + ", and refuses it",
        () -> refuse(rpc, Message.class, r -> true, Code.UNIMPLEMENTED));
  }

  private static Mutant present(String row, String rpc) {
    return Mutant.of(
        row, "serves " + rpc + ", and does not report it", () -> accept(rpc, "does not offer"));
  }

  private static void ail(FakeState state, String volumeId) {
    FakeVolume volume = state.volumes.get(volumeId);
    if (volume != null) {
      volume.health.add(
          VolumeHealthEntry.newBuilder()
              .setStatus(VolumeHealthErrorType.DEGRADED)
              .setReason("Slow")
              .build());
    }
  }

  private static Deviation listsAll() {
    return new Deviation() {
      private ControllerListVolumeHealthResponse all =
          ControllerListVolumeHealthResponse.getDefaultInstance();

      @Override
      public void before(FakeState state, String rpc, Message request) {
        if (request instanceof ControllerListVolumeHealthRequest) {
          all =
              ControllerListVolumeHealthResponse.newBuilder()
                  .addAllEntries(
                      state.volumes.keySet().stream()
                          .map(id -> VolumeHealth.newBuilder().setVolumeId(id).build())
                          .toList())
                  .build();
        }
      }

      @Override
      public Outcome end(String rpc, Message request, Outcome outcome) {
        return rpc.equals(LIST) && outcome.status().isOk() ? Outcome.of(all) : outcome;
      }
    };
  }
}
