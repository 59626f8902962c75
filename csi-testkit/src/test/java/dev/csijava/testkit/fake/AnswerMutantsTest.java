package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.ConformanceRun;
import dev.csijava.testkit.conformance.RunListener;
import dev.csijava.testkit.conformance.RunReport;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Some rows are about every answer of a run, and are judged whatever the case looks at. */
class AnswerMutantsTest {
  private static final String CREATE = "CreateVolume";
  private static final String SECRET = "swordfish-of-the-filer";

  /** One case for each RPC that is broken here. */
  private static final Set<String> CASES =
      Set.of("get-plugin-info", "create-volume", "CTRL-CREATE-002", "get-volume");

  @TempDir Path directory = Path.of("set by JUnit");

  static List<Mutant> mutants() {
    return List.of(
        Mutant.of("GEN-FIELD-004", "has no id", () -> volume(Volume.Builder::clearVolumeId)),
        Mutant.of("GEN-SIZE-001", "has a long version", AnswerMutantsTest::longVersion),
        Mutant.of(
            "GEN-SIZE-002",
            "has a large context",
            () -> volume(v -> v.putVolumeContext("large", "x".repeat(4096)))),
        Mutant.of("GEN-SEC-005", "tells a secret", () -> refuses(AnswerMutantsTest::secret)),
        Mutant.of("GEN-ERR-002", "knows no code", () -> refuses(r -> Status.UNKNOWN)),
        Mutant.of("GEN-ERR-003", "has no words", () -> refuses(r -> Status.INVALID_ARGUMENT)),
        Mutant.of("GEN-COND-001", "has no words for an illness", AnswerMutantsTest::wordless),
        Mutant.of("GEN-TOPO-001", "has a key without a name", () -> at("fake.dev/", "a")),
        Mutant.of("GEN-TOPO-002", "has a key that ends badly", () -> at("fake.dev/zone-", "a")),
        Mutant.of("GEN-TOPO-002", "has a long key", () -> at("z".repeat(64), "a")),
        Mutant.of("GEN-TOPO-003", "has a prefix in capitals", () -> at("Fake.dev/zone", "a")),
        Mutant.of("GEN-TOPO-005", "has two prefixes", () -> at("other.dev/zone", "a")),
        Mutant.of("GEN-TOPO-006", "has one key twice", () -> at("zone", "a", "Zone", "b")),
        Mutant.of("GEN-TOPO-007", "has an empty value", () -> at("zone", "")),
        Mutant.of("GEN-TOPO-007", "has a value of two words", () -> at("zone", "a b")),
        Mutant.of("GEN-TOPO-009", "has a topology unasked", () -> at("zone", "a"))
            .in(Config.WITHOUT_TOPOLOGY),
        Mutant.of("IDENT-CAPS-006", "has a topology, and does not say so", () -> at("zone", "a"))
            .in(Config.WITHOUT_TOPOLOGY));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void isCaughtInTheAnswers(Mutant mutant) throws IOException {
    FakeDriverBuilder broken = mutant.config().builder().deviation(mutant.deviation().get());
    assertThat(verdict(broken, mutant.row())).isEqualTo(Verdict.FAILED);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void passesWhereNothingIsWrong(String row) throws IOException {
    assertThat(verdict(FakeDriver.builder(), row)).isEqualTo(Verdict.PASSED);
  }

  static List<String> rows() {
    return List.of("GEN-FIELD-004", "GEN-SEC-005", "GEN-ERR-003", "GEN-COND-001", "GEN-TOPO-006");
  }

  private Verdict verdict(FakeDriverBuilder builder, String row) throws IOException {
    Map<String, Map<String, String>> secrets =
        Arrays.stream(CsiRpc.values())
            .collect(Collectors.toMap(CsiRpc::title, rpc -> Map.of("password", SECRET)));
    List<Case> cases =
        Catalogue.cases().stream().filter(tested -> CASES.contains(tested.id())).toList();
    try (FakeDriver driver = builder.start();
        Session session =
            Session.open(
                Settings.forEndpoint(driver.endpoint())
                    .targetDirectory(directory.resolve("targets"))
                    .stagingDirectory(directory.resolve("staging"))
                    .secrets(secrets)
                    .build())) {
      RunReport report = new ConformanceRun(session, cases, new RunListener() {}).run();
      return report.rows().stream()
          .filter(found -> found.requirement().id().equals(row))
          .map(RunReport.Row::verdict)
          .findFirst()
          .orElseThrow();
    }
  }

  private static Deviation volume(Consumer<Volume.Builder> change) {
    return Deviations.reply(
        CREATE,
        CreateVolumeResponse.class,
        r -> {
          CreateVolumeResponse.Builder changed = r.toBuilder();
          change.accept(changed.getVolumeBuilder());
          return changed.build();
        });
  }

  private static Deviation at(String key, String value) {
    return volume(
        v -> v.addAccessibleTopology(Topology.newBuilder().putSegments(key, value).build()));
  }

  private static Deviation at(String key, String value, String otherKey, String otherValue) {
    return volume(
        v ->
            v.addAccessibleTopology(
                Topology.newBuilder()
                    .putSegments(key, value)
                    .putSegments(otherKey, otherValue)
                    .build()));
  }

  private static Deviation longVersion() {
    return Deviations.reply(
        "GetPluginInfo",
        GetPluginInfoResponse.class,
        r -> r.toBuilder().setVendorVersion("1".repeat(129)).build());
  }

  private static Deviation wordless() {
    return Deviations.reply(
        "ControllerGetVolume",
        ControllerGetVolumeResponse.class,
        r -> {
          ControllerGetVolumeResponse.Builder changed = r.toBuilder();
          changed.getStatusBuilder().getVolumeConditionBuilder().setAbnormal(true).clearMessage();
          return changed.build();
        });
  }

  private static Status secret(Message request) {
    return Status.INVALID_ARGUMENT.withDescription(
        "not with " + ((CreateVolumeRequest) request).getSecretsOrDefault("password", "nothing"));
  }

  /** Another status where it refuses. */
  private static Deviation refuses(Function<Message, Status> how) {
    return Deviations.end(
        CREATE,
        (request, outcome) ->
            outcome.status().isOk() ? outcome : Deviation.Outcome.of(how.apply(request)));
  }
}
