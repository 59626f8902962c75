package dev.csijava.spec;

import static dev.csijava.spec.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse.Confirmed;
import dev.csijava.spec.v1.VolumeCondition;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Bytes written by hand from the published CSI 1.12 numbers: the renamed field, and what 1.13 took
 * away.
 */
class HandWrittenBytesTest {

  /** A map entry: key "iops" as field 1, value "500" as field 2. */
  private static final String IOPS_500 = "0b 0a04696f7073 1203353030";

  /** A map entry: key "kind" as field 1, value "fast" as field 2. */
  private static final String KIND_FAST = "0c 0a046b696e64 120466617374";

  /** A VolumeCondition: abnormal as field 1, message "full" as field 2. */
  private static final String CONDITION_FULL = "08 0801 120466756c6c";

  private static final Map<String, String> MUTABLE = Map.of("iops", "500");

  @Test
  void createVolumeRequestHasMutableParametersAsField8() throws Exception {
    ByteString published = bytes("0a03707663 22" + KIND_FAST + " 42" + IOPS_500);

    CreateVolumeRequest request = CreateVolumeRequest.parseFrom(published);

    assertThat(request)
        .isEqualTo(
            CreateVolumeRequest.newBuilder()
                .setName("pvc")
                .putParameters("kind", "fast")
                .putAllMutableParams(MUTABLE)
                .build());
    assertThat(request.toByteString()).isEqualTo(published);
  }

  @Test
  void validateVolumeCapabilitiesRequestHasMutableParametersAsField6() throws Exception {
    ByteString published = bytes("0a0176 32" + IOPS_500);

    ValidateVolumeCapabilitiesRequest request =
        ValidateVolumeCapabilitiesRequest.parseFrom(published);

    assertThat(request)
        .isEqualTo(
            ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId("v")
                .putAllMutableParams(MUTABLE)
                .build());
    assertThat(request.toByteString()).isEqualTo(published);
  }

  @Test
  void confirmedHasMutableParametersAsField4() throws Exception {
    ByteString published = bytes("0a0d 22" + IOPS_500);

    ValidateVolumeCapabilitiesResponse response =
        ValidateVolumeCapabilitiesResponse.parseFrom(published);

    assertThat(response)
        .isEqualTo(
            ValidateVolumeCapabilitiesResponse.newBuilder()
                .setConfirmed(Confirmed.newBuilder().putAllMutableParams(MUTABLE))
                .build());
    assertThat(response.toByteString()).isEqualTo(published);
  }

  @Test
  void controllerModifyVolumeRequestHasMutableParametersAsField3() throws Exception {
    ByteString published = bytes("0a0176 1a" + IOPS_500);

    ControllerModifyVolumeRequest request = ControllerModifyVolumeRequest.parseFrom(published);

    assertThat(request)
        .isEqualTo(
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId("v")
                .putAllMutableParams(MUTABLE)
                .build());
    assertThat(request.toByteString()).isEqualTo(published);
  }

  @Test
  void jsonCallsTheRenamedFieldMutableParameters() throws Exception {
    String json = "{\"name\":\"pvc\",\"mutableParameters\":{\"iops\":\"500\"}}";
    CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder();

    JsonFormat.parser().merge(json, request);

    assertThat(request.getMutableParamsMap()).isEqualTo(MUTABLE);
    assertThat(JsonFormat.printer().omittingInsignificantWhitespace().print(request))
        .isEqualTo(json);
  }

  @Test
  void nodeGetVolumeStatsResponseHasTheConditionOf112AsField2() throws Exception {
    ByteString published = bytes("12" + CONDITION_FULL);

    NodeGetVolumeStatsResponse response = NodeGetVolumeStatsResponse.parseFrom(published);

    assertIsFull(response.getVolumeCondition());
    assertThat(response.toByteString()).isEqualTo(published);
  }

  @Test
  void listVolumesResponseHasTheConditionOf112AsField2OfTheStatus() throws Exception {
    ByteString published = bytes("0a0c 120a 12" + CONDITION_FULL);

    ListVolumesResponse response = ListVolumesResponse.parseFrom(published);

    assertIsFull(response.getEntries(0).getStatus().getVolumeCondition());
    assertThat(response.toByteString()).isEqualTo(published);
  }

  @Test
  void controllerGetVolumeResponseHasTheConditionOf112AsField2OfTheStatus() throws Exception {
    ByteString published = bytes("120a 12" + CONDITION_FULL);

    ControllerGetVolumeResponse response = ControllerGetVolumeResponse.parseFrom(published);

    assertIsFull(response.getStatus().getVolumeCondition());
    assertThat(response.toByteString()).isEqualTo(published);
  }

  @Test
  void theConditionCapabilitiesOf112Are11And4() throws Exception {
    assertThat(
            ControllerGetCapabilitiesResponse.parseFrom(bytes("0a04 0a02 080b"))
                .getCapabilities(0)
                .getRpc()
                .getType())
        .isEqualTo(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
    assertThat(
            NodeGetCapabilitiesResponse.parseFrom(bytes("0a04 0a02 0804"))
                .getCapabilities(0)
                .getRpc()
                .getType())
        .isEqualTo(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
  }

  private static void assertIsFull(VolumeCondition condition) {
    assertThat(condition)
        .isEqualTo(VolumeCondition.newBuilder().setAbnormal(true).setMessage("full").build());
  }
}
