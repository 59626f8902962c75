package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.csijava.core.CsiException;
import dev.csijava.core.Proves;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class IdempotentCreateTest {
  private record Thing(String id, long size, String zone) {}

  private final InMemoryCreateRecords<CreateVolumeRequest, Thing> volumeRecords =
      new InMemoryCreateRecords<>();
  private final IdempotentCreate<CreateVolumeRequest, Thing> volumes =
      IdempotentCreate.ofVolumes(volumeRecords, Thing::size, IdempotentCreateTest::reachable);

  private final CreateVolumeRequest request =
      CreateVolumeRequest.newBuilder()
          .setName("pvc-1")
          .setCapacityRange(range(1_048_577, 0))
          .addVolumeCapabilities(capability("ext4", Mode.SINGLE_NODE_WRITER))
          .addVolumeCapabilities(capability("ext4", Mode.MULTI_NODE_READER_ONLY))
          .putParameters("kind", "fast")
          .putMutableParams("iops", "100")
          .putSecrets("password", "canary")
          .setVolumeContentSource(snapshotSource("snap-1"))
          .setAccessibilityRequirements(zones("a", "b"))
          .build();

  @Test
  void aFreeNameHasNothing() {
    assertThat(volumes.find(request)).isEmpty();
  }

  @Test
  @Proves({"CTRL-CREATE-004", "CTRL-CREATE-005"})
  void b007B083TheSameRequestFindsTheObjectAndMakesNothing() {
    Thing made = make(request);
    Thing again =
        volumes.findOrCreate(
            request,
            r -> {
              throw new AssertionError("made twice");
            });
    assertThat(again).isSameAs(made);
    assertThat(volumes.find(request)).containsSame(made);
  }

  /** A copy that failed half way is not there for the retry, which makes it anew. */
  @Test
  void b080WhatFailedHalfWayIsNotFoundByTheRetry() {
    assertThatThrownBy(
            () ->
                volumes.findOrCreate(
                    request,
                    r -> {
                      throw CsiException.unavailable("the copy broke off", null);
                    }))
        .hasMessageContaining("broke off");
    assertThat(volumes.find(request)).isEmpty();
    Thing whole = make(request);
    assertThat(volumes.find(request)).containsSame(whole);
  }

  @Test
  void theObjectIsFoundAsItIsNow() {
    make(request);
    Thing grown = new Thing("id-1", 1L << 30, "a");
    volumeRecords.put("pvc-1", CreateRequests.normalise(request), grown);
    assertThat(volumes.find(request)).containsSame(grown);
  }

  @Test
  void b077ADeletedNameIsFree() {
    make(request);
    volumeRecords.remove("pvc-1");
    assertThat(volumes.find(request)).isEmpty();
  }

  @Test
  void theMakerGetsTheRequestWithoutItsSecrets() {
    List<CreateVolumeRequest> seen = new ArrayList<>();
    volumes.findOrCreate(
        request,
        r -> {
          seen.add(r);
          return new Thing("id-1", 1, "a");
        });
    assertThat(seen).containsExactly(CreateRequests.normalise(request));
    assertThat(seen.get(0).getSecretsMap()).isEmpty();
  }

  @Test
  void otherSecretsAndAnotherOrderOfCapabilitiesMatch() {
    Thing made = make(request);
    assertMatches(made, r -> r.clearSecrets());
    assertMatches(made, r -> r.putSecrets("password", "changed"));
    assertMatches(
        made,
        r ->
            r.clearVolumeCapabilities()
                .addVolumeCapabilities(capability("ext4", Mode.MULTI_NODE_READER_ONLY))
                .addVolumeCapabilities(capability("ext4", Mode.SINGLE_NODE_WRITER)));
  }

  @Test
  void b082ARangeThatThePresentSizeFitsMatches() {
    Thing made = make(request);
    assertMatches(made, r -> r.setCapacityRange(range(1_048_578, 0)));
    assertMatches(made, r -> r.setCapacityRange(range(made.size(), made.size())));
    assertMatches(made, r -> r.setCapacityRange(range(0, made.size())));
    assertMatches(made, r -> r.clearCapacityRange());
  }

  @Test
  void theRangeOfTheFirstRequestMatchesAlsoAfterTheVolumeGrewOutOfIt() {
    CreateVolumeRequest exact =
        request.toBuilder().setCapacityRange(range(1 << 20, 1 << 20)).build();
    volumeRecords.put("pvc-1", CreateRequests.normalise(exact), new Thing("id-1", 1L << 30, "a"));
    assertThat(volumes.find(exact)).isPresent();
  }

  /** Callers written in Go send the entries of a map in another order each time. */
  @Test
  void theFieldThatDiffersIsNamedWhateverTheOrderOfParameters() {
    CreateVolumeRequest.Builder first = request.toBuilder().clearParameters();
    CreateVolumeRequest.Builder second =
        request.toBuilder().clearParameters().setVolumeContentSource(snapshotSource("snap-2"));
    for (int i = 0; i < 9; i++) {
      first.putParameters("k" + i, "v");
      second.putParameters("k" + (8 - i), "v");
    }
    make(first.build());
    assertThatThrownBy(() -> volumes.find(second.build()))
        .hasMessageEndingWith("volume_content_source.snapshot.snapshot_id differs");
  }

  @Test
  void aRangeThatThePresentSizeDoesNotFitIsRefused() {
    Thing made = make(request);
    assertDiffers("capacity_range", r -> r.setCapacityRange(range(made.size() + 1, 0)));
    assertDiffers("capacity_range", r -> r.setCapacityRange(range(0, made.size() - 1)));
    assertThat(volumes.find(request)).isPresent();
  }

  @Test
  void b091ARangeThatMakesNoSenseIsAnInvalidArgumentAlsoInAReplay() {
    make(request);
    assertThatThrownBy(
            () -> volumes.find(request.toBuilder().setCapacityRange(range(-1, 0)).build()))
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).isEqualTo(Status.Code.INVALID_ARGUMENT));
  }

  @Test
  void everyOtherFieldThatDiffersIsNamed() {
    make(request);
    assertDiffers("parameters[\"kind\"]", r -> r.putParameters("kind", "slow"));
    assertDiffers("parameters[\"colour\"]", r -> r.putParameters("colour", "red"));
    assertDiffers("parameters[\"kind\"]", r -> r.clearParameters());
    assertDiffers("mutable_parameters[\"iops\"]", r -> r.putMutableParams("iops", "200"));
    assertDiffers("volume_capabilities", r -> r.removeVolumeCapabilities(1));
    assertDiffers(
        "volume_capabilities",
        r -> r.setVolumeCapabilities(0, capability("xfs", Mode.SINGLE_NODE_WRITER)));
    assertDiffers("volume_content_source", r -> r.clearVolumeContentSource());
    assertDiffers(
        "volume_content_source.snapshot.snapshot_id",
        r -> r.setVolumeContentSource(snapshotSource("snap-2")));
    assertDiffers(
        "volume_content_source.snapshot",
        r ->
            r.setVolumeContentSource(
                VolumeContentSource.newBuilder()
                    .setVolume(
                        VolumeContentSource.VolumeSource.newBuilder().setVolumeId("snap-1"))));
  }

  @Test
  void theSentenceShowsNoValues() {
    make(request);
    assertThatThrownBy(
            () -> volumes.find(request.toBuilder().putParameters("kind", "canary").build()))
        .hasMessage(
            "a volume named pvc-1 exists, made from another request: parameters[\"kind\"] differs")
        .hasMessageNotContaining("canary");
  }

  @Test
  void aTopologyMatchesIfItIsEqualOrAbsentOrTheVolumeSatisfiesIt() {
    Thing made = make(request);
    assertMatches(made, r -> r.setAccessibilityRequirements(zones("b", "a")));
    assertMatches(made, r -> r.clearAccessibilityRequirements());
    assertMatches(made, r -> r.setAccessibilityRequirements(zones("a")));
    assertDiffers(
        "accessibility_requirements.requisite", r -> r.setAccessibilityRequirements(zones("c")));
  }

  @Test
  void aTopologyAskedForLaterMatchesIfTheVolumeSatisfiesIt() {
    CreateVolumeRequest without = request.toBuilder().clearAccessibilityRequirements().build();
    Thing made = make(without);
    assertMatches(made, r -> r);
    assertDiffers("accessibility_requirements", r -> r.setAccessibilityRequirements(zones("c")));
  }

  @Test
  @Proves({"CTRL-SNAP-005", "CTRL-SNAP-006"})
  void aSnapshotIsMatchedBySourceParametersAndTopology() {
    InMemoryCreateRecords<CreateSnapshotRequest, Thing> records = new InMemoryCreateRecords<>();
    IdempotentCreate<CreateSnapshotRequest, Thing> snapshots =
        IdempotentCreate.ofSnapshots(records, IdempotentCreateTest::reachable);
    CreateSnapshotRequest first =
        CreateSnapshotRequest.newBuilder()
            .setName("snap-1")
            .setSourceVolumeId("vol-1")
            .putParameters("kind", "fast")
            .putSecrets("password", "canary")
            .build();
    Thing made = new Thing("id-1", 1, "a");
    records.put("snap-1", CreateRequests.normalise(first), made);
    assertThat(snapshots.find(first.toBuilder().clearSecrets().build())).containsSame(made);
    assertThat(snapshots.find(first.toBuilder().setAccessibilityRequirements(zones("a")).build()))
        .containsSame(made);
    assertRefused(
        snapshots,
        first.toBuilder().setAccessibilityRequirements(zones("c")).build(),
        "a snapshot named snap-1 exists, made from another request: accessibility_requirements"
            + " differs");
    assertRefused(
        snapshots,
        first.toBuilder().setSourceVolumeId("vol-2").build(),
        "a snapshot named snap-1 exists, made from another request: source_volume_id differs");
    assertRefused(
        snapshots,
        first.toBuilder().putParameters("kind", "slow").build(),
        "a snapshot named snap-1 exists, made from another request: parameters[\"kind\"] differs");
  }

  @Test
  void aGroupIsMatchedByItsSetOfSourcesAndItsParameters() {
    InMemoryCreateRecords<CreateVolumeGroupSnapshotRequest, Thing> records =
        new InMemoryCreateRecords<>();
    IdempotentCreate<CreateVolumeGroupSnapshotRequest, Thing> groups =
        IdempotentCreate.ofGroupSnapshots(records);
    CreateVolumeGroupSnapshotRequest first =
        CreateVolumeGroupSnapshotRequest.newBuilder()
            .setName("group-1")
            .addSourceVolumeIds("vol-2")
            .addSourceVolumeIds("vol-1")
            .putParameters("kind", "fast")
            .build();
    Thing made = new Thing("id-1", 1, "a");
    records.put("group-1", CreateRequests.normalise(first), made);
    assertThat(
            groups.find(
                first.toBuilder()
                    .clearSourceVolumeIds()
                    .addSourceVolumeIds("vol-1")
                    .addSourceVolumeIds("vol-2")
                    .build()))
        .containsSame(made);
    assertRefused(
        groups,
        first.toBuilder().addSourceVolumeIds("vol-3").build(),
        "a group snapshot named group-1 exists, made from another request: source_volume_ids"
            + " differs");
    assertRefused(
        groups,
        first.toBuilder().clearParameters().build(),
        "a group snapshot named group-1 exists, made from another request: parameters[\"kind\"]"
            + " differs");
  }

  private Thing make(CreateVolumeRequest first) {
    return volumes.findOrCreate(
        first,
        normalised -> {
          Thing thing = new Thing("id-1", 1_052_672, "a");
          volumeRecords.put(normalised.getName(), normalised, thing);
          return thing;
        });
  }

  private void assertMatches(Thing made, UnaryOperator<CreateVolumeRequest.Builder> change) {
    assertThat(volumes.find(change.apply(request.toBuilder()).build())).containsSame(made);
  }

  private void assertDiffers(String path, UnaryOperator<CreateVolumeRequest.Builder> change) {
    assertThatThrownBy(() -> volumes.find(change.apply(request.toBuilder()).build()))
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).isEqualTo(Status.Code.ALREADY_EXISTS))
        .hasMessageMatching(".*[ ]\\Q" + path + "\\E( differs)?");
  }

  private static <R extends Message> void assertRefused(
      IdempotentCreate<R, Thing> create, R request, String sentence) {
    assertThatThrownBy(() -> create.find(request))
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).isEqualTo(Status.Code.ALREADY_EXISTS))
        .hasMessage(sentence);
  }

  private static boolean reachable(Thing thing, TopologyRequirement requirement) {
    return requirement.getRequisiteList().stream()
        .anyMatch(topology -> thing.zone().equals(topology.getSegmentsOrDefault("zone", "")));
  }

  private static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  private static VolumeCapability capability(String fsType, Mode mode) {
    return VolumeCapability.newBuilder()
        .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(fsType))
        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
        .build();
  }

  private static VolumeContentSource snapshotSource(String id) {
    return VolumeContentSource.newBuilder()
        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
        .build();
  }

  private static TopologyRequirement zones(String... zones) {
    TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
    for (String zone : zones) {
      requirement.addRequisite(Topology.newBuilder().putSegments("zone", zone));
    }
    return requirement.build();
  }
}
