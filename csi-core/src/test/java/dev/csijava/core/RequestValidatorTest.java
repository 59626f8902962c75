package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CsiProto;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestValidatorTest {

  private final RequestValidator validator = new RequestValidator(Capabilities.ALL);

  static List<RequestCase> broken() {
    return RequestCases.all();
  }

  static List<Message> minimal() {
    return ValidRequests.minimal();
  }

  static List<Message> maximal() {
    return ValidRequests.maximal();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void brokenRuleIsNamedWithItsFieldAndCode(RequestCase bad) {
    RequestValidator broken = new RequestValidator(bad.capabilities());
    Violation violation = Objects.requireNonNull(broken.find(bad.request()), "nothing found");
    assertThat(violation.path()).isEqualTo(bad.path());
    assertThat(bad.ids()).allMatch(violation.rule()::names);
    CsiException refusal =
        catchThrowableOfType(CsiException.class, () -> broken.check(bad.request()));
    assertThat(refusal.code()).isEqualTo(bad.code());
    assertThat(refusal).hasMessageStartingWith(bad.path() + " ");
    assertThat(refusal.getMessage()).doesNotContain("canary", "v".repeat(10));
  }

  /** Immediate binding names all nodes of a cluster twice, in different order. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void topologiesOfAVeryLargeClusterAreCheckedAtOnce() {
    CreateVolumeRequest.Builder request = ValidRequests.create();
    TopologyRequirement.Builder nodes = request.getAccessibilityRequirementsBuilder();
    int count = 50_000;
    for (int i = 0; i < count; i++) {
      nodes.addRequisite(ValidRequests.topology("node-" + i));
      nodes.addPreferred(ValidRequests.topology("node-" + (count - 1 - i)));
    }
    assertThat(validator.find(request.build())).isNull();
    nodes.setPreferred(count - 1, ValidRequests.topology("elsewhere"));
    assertThat(Objects.requireNonNull(validator.find(request.build())).path())
        .isEqualTo("accessibility_requirements.preferred[" + (count - 1) + "]");
  }

  @ParameterizedTest
  @MethodSource("minimal")
  void requestWithNothingButRequiredFieldsPassesADriverWithoutCapabilities(Message request) {
    assertThat(new RequestValidator(Capabilities.NONE).find(request)).isNull();
  }

  @ParameterizedTest
  @MethodSource("maximal")
  void requestWithEveryFieldPassesADriverWithAllCapabilities(Message request) {
    assertThat(validator.find(request)).isNull();
  }

  /** A provisioner names every node of its cluster, in both lists. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theNodesOfALargeClusterAreNoWork() {
    List<Topology> nodes =
        IntStream.range(0, 30_000).mapToObj(i -> ValidRequests.topology("n" + i)).toList();
    List<Topology> rotated = new ArrayList<>(nodes);
    Collections.rotate(rotated, nodes.size() / 2);
    TopologyRequirement all =
        TopologyRequirement.newBuilder().addAllRequisite(nodes).addAllPreferred(rotated).build();

    assertThat(validator.find(ValidRequests.snapshot().setAccessibilityRequirements(all).build()))
        .isNull();
  }

  @Test
  void everyRpcHasAValidRequestHere() {
    Set<String> names = new HashSet<>();
    for (ServiceDescriptor service : CsiProto.getDescriptor().getServices()) {
      service.getMethods().forEach(method -> names.add(method.getInputType().getName()));
    }
    assertThat(names).hasSize(36);
    assertThat(ValidRequests.minimal().stream().map(RequestValidatorTest::name))
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(names).containsAll(maximal().stream().map(RequestValidatorTest::name).toList());
  }

  @Test
  void emptyRequestIsRefusedByEveryRpcThatNeedsAField() {
    List<String> accepted =
        ValidRequests.minimal().stream()
            .map(Message::getDefaultInstanceForType)
            .filter(request -> validator.find(request) == null)
            .map(RequestValidatorTest::name)
            .toList();
    assertThat(accepted)
        .containsExactlyInAnyOrder(
            "GetPluginInfoRequest",
            "GetPluginCapabilitiesRequest",
            "ProbeRequest",
            "ListVolumesRequest",
            "ControllerListVolumeHealthRequest",
            "GetCapacityRequest",
            "ControllerGetCapabilitiesRequest",
            "ListSnapshotsRequest",
            "GroupControllerGetCapabilitiesRequest",
            "NodeGetStorageHealthRequest",
            "NodeGetCapabilitiesRequest",
            "NodeGetInfoRequest");
    assertThat(
            ValidRequests.minimal().stream()
                .map(request -> validator.find(request.getDefaultInstanceForType()))
                .filter(Objects::nonNull)
                .map(violation -> violation.rule().code()))
        .containsOnly(Status.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../etc", "/", "a\0b", "\u00fc\u4e2d\ud83d\ude00", " ", "%n"})
  void oddIdIsATokenThatTheDriverLooksUp(String id) {
    for (Message request :
        List.of(
            DeleteVolumeRequest.newBuilder().setVolumeId(id).build(),
            ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).setNodeId(id).build(),
            ValidRequests.unpublish().setVolumeId(id).build(),
            ValidRequests.snapshot().setSourceVolumeId(id).build())) {
      assertThat(validator.find(request)).isNull();
    }
  }

  static List<AcceptedCases.Accepted> accepted() {
    return AcceptedCases.all();
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void valueThatTheSpecificationAllowsPasses(AcceptedCases.Accepted accepted) {
    assertThat(validator.find(accepted.request())).isNull();
  }

  @Test
  void pathWithOddButHarmlessFormPasses() {
    for (String path : List.of("/a//b/", "/.hidden", "/a/..b", "/a/...", "/a b", "/\u00fc")) {
      assertThatCode(() -> validator.check(ValidRequests.unpublish().setTargetPath(path).build()))
          .as(path)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void missingFieldIsToldBeforeTheMissingStagingPath() {
    Message request =
        ValidRequests.publish().clearStagingTargetPath().clearVolumeCapability().build();
    assertThat(Objects.requireNonNull(validator.find(request)).rule().names("NODE-PUB-004"))
        .isTrue();
  }

  @Test
  void inlineVolumeOfAPodIsPublishedWithoutStaging() {
    Message request =
        ValidRequests.publish()
            .clearStagingTargetPath()
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .build();
    assertThat(validator.find(request)).isNull();
    Message persistent =
        ValidRequests.publish()
            .clearStagingTargetPath()
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "false")
            .build();
    assertThat(validator.find(persistent)).isNotNull();
  }

  @Test
  void tokensThatKubeletAddsToTheVolumeContextDontCount() {
    Message request =
        ValidRequests.publish()
            .putAllVolumeContext(
                Map.of("csi.storage.k8s.io/serviceAccount.tokens", "t".repeat(8000), "k", "v"))
            .build();
    assertThat(validator.find(request)).isNull();
  }

  @Test
  void capacityQuestionsOfOldAndNewProvisionersPass() {
    RequestValidator plain = new RequestValidator(Capabilities.NONE);
    GetCapacityRequest request =
        GetCapacityRequest.newBuilder()
            .addVolumeCapabilities(RequestCases.mode(0))
            .putParameters("csi.storage.k8s.io/provisioner-secret-name", "s")
            .setAccessibleTopology(Topology.getDefaultInstance())
            .build();
    assertThat(plain.find(request)).isNull();
  }

  @Test
  void groupWithoutSnapshotIdsIsLeftToTheDriver() {
    assertThat(ValidatedRequirements.leftToDriver()).containsKey("GROUP-DELETE-003");
    assertThat(
            validator.find(
                DeleteVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").build()))
        .isNull();
    assertThat(
            validator.find(
                GetVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").build()))
        .isNull();
  }

  @Test
  void topologyKeysThatDifferByCaseAreTheSamePlace() {
    Topology upper = Topology.newBuilder().putSegments("topology.hostpath.csi/NODE", "n1").build();
    Message request =
        ValidRequests.create()
            .setAccessibilityRequirements(
                ValidRequests.topologies().toBuilder().addPreferred(upper))
            .build();
    assertThat(validator.find(request)).isNull();
  }

  @Test
  @Proves("V113-WIRE-001")
  void unknownFieldsPass() throws Exception {
    Message request = ValidRequests.create().build();
    byte[] unknown = {(byte) 0xfa, 0x3f, 1, 'x'};
    Message newer = request.toBuilder().mergeFrom(unknown).build();
    assertThat(newer.getUnknownFields().asMap()).isNotEmpty();
    assertThat(validator.find(newer)).isNull();
  }

  private static String name(Message message) {
    return message.getDescriptorForType().getName();
  }
}
