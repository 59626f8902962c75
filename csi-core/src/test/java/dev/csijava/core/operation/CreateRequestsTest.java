package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import org.junit.jupiter.api.Test;

class CreateRequestsTest {
  private static final VolumeCapability MOUNT =
      VolumeCapability.newBuilder()
          .setMount(VolumeCapability.MountVolume.newBuilder().setFsType("xfs"))
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder().setMode(Mode.MULTI_NODE_MULTI_WRITER))
          .build();
  private static final VolumeCapability BLOCK =
      VolumeCapability.newBuilder()
          .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
          .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
          .build();

  @Test
  void secretsAreNeverStored() {
    assertThat(
            CreateRequests.normalise(
                    CreateVolumeRequest.newBuilder().putSecrets("key", "canary").build())
                .getSecretsMap())
        .isEmpty();
    assertThat(
            CreateRequests.normalise(
                    CreateSnapshotRequest.newBuilder().putSecrets("key", "canary").build())
                .getSecretsMap())
        .isEmpty();
    assertThat(
            CreateRequests.normalise(
                    CreateVolumeGroupSnapshotRequest.newBuilder()
                        .putSecrets("key", "canary")
                        .build())
                .getSecretsMap())
        .isEmpty();
  }

  @Test
  void fieldsOfALaterVersionAreNotStoredSinceTheyMightBeSecret() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                4711,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("canary"))
                    .build())
            .build();
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .setName("pvc-1")
            .setUnknownFields(unknown)
            .addVolumeCapabilities(MOUNT.toBuilder().setUnknownFields(unknown))
            .build();
    assertThat(CreateRequests.normalise(request))
        .isEqualTo(
            CreateVolumeRequest.newBuilder().setName("pvc-1").addVolumeCapabilities(MOUNT).build());
  }

  @Test
  void listsWithoutAnOrderAreSortedAndFreeOfDuplicates() {
    assertThat(CreateRequests.normalise(volume(MOUNT, BLOCK, MOUNT)))
        .isEqualTo(CreateRequests.normalise(volume(BLOCK, MOUNT)));
    assertThat(CreateRequests.normalise(group("c", "a", "b", "a"))).isEqualTo(group("a", "b", "c"));
    assertThat(CreateRequests.normalise(topology("z", "a", "z")))
        .isEqualTo(CreateRequests.normalise(topology("a", "z")));
  }

  @Test
  void theOrderOfPreferenceIsKept() {
    CreateVolumeRequest one = preferred("a", "b");
    CreateVolumeRequest other = preferred("b", "a");
    assertThat(CreateRequests.normalise(one)).isEqualTo(one);
    assertThat(CreateRequests.normalise(other)).isEqualTo(other);
  }

  @Test
  void anEmptyTopologyRequirementIsNone() {
    CreateVolumeRequest empty =
        CreateVolumeRequest.newBuilder()
            .setAccessibilityRequirements(TopologyRequirement.getDefaultInstance())
            .build();
    assertThat(CreateRequests.normalise(empty).hasAccessibilityRequirements()).isFalse();
    CreateSnapshotRequest snapshot =
        CreateSnapshotRequest.newBuilder()
            .setAccessibilityRequirements(TopologyRequirement.getDefaultInstance())
            .build();
    assertThat(CreateRequests.normalise(snapshot).hasAccessibilityRequirements()).isFalse();
  }

  @Test
  void everythingElseIsKept() {
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .setName("pvc-1")
            .putParameters("kind", "fast")
            .putParameters("csi.storage.k8s.io/pvc/name", "claim")
            .putMutableParams("iops", "100")
            .build();
    assertThat(CreateRequests.normalise(request)).isEqualTo(request);
  }

  @Test
  void normalisingTwiceChangesNothing() {
    CreateVolumeRequest once =
        CreateRequests.normalise(
            volume(MOUNT, BLOCK).toBuilder()
                .setAccessibilityRequirements(topology("z", "a").getAccessibilityRequirements())
                .build());
    assertThat(CreateRequests.normalise(once)).isEqualTo(once);
  }

  private static CreateVolumeRequest volume(VolumeCapability... capabilities) {
    CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder();
    for (VolumeCapability capability : capabilities) {
      request.addVolumeCapabilities(capability);
    }
    return request.build();
  }

  private static CreateVolumeGroupSnapshotRequest group(String... sources) {
    CreateVolumeGroupSnapshotRequest.Builder request =
        CreateVolumeGroupSnapshotRequest.newBuilder();
    for (String source : sources) {
      request.addSourceVolumeIds(source);
    }
    return request.build();
  }

  private static CreateVolumeRequest topology(String... zones) {
    TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
    for (String zone : zones) {
      requirement.addRequisite(Topology.newBuilder().putSegments("zone", zone));
    }
    return CreateVolumeRequest.newBuilder().setAccessibilityRequirements(requirement).build();
  }

  private static CreateVolumeRequest preferred(String... zones) {
    TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
    for (String zone : zones) {
      requirement.addPreferred(Topology.newBuilder().putSegments("zone", zone));
    }
    return CreateVolumeRequest.newBuilder().setAccessibilityRequirements(requirement).build();
  }
}
