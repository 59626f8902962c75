package dev.csijava.spec;

import static dev.csijava.spec.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesResponse;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import org.junit.jupiter.api.Test;

/** What a later version of CSI adds does no harm here and is not lost (rule K14). */
class FutureCallerTest {

  @Test
  void anUnknownFieldSurvivesARoundTrip() throws Exception {
    // Field 100: "new".
    ByteString sent = bytes("0a03707663 a206 036e6577");

    CreateVolumeRequest request = CreateVolumeRequest.parseFrom(sent);

    assertThat(request.getName()).isEqualTo("pvc");
    assertThat(request.getUnknownFields().hasField(100)).isTrue();
    assertThat(request.toBuilder().build().toByteString()).isEqualTo(sent);
  }

  @Test
  void anUnknownFieldOfANestedMessageSurvivesARoundTrip() throws Exception {
    // Field 9 of the volume capability: "new".
    ByteString sent = bytes("0a03707663 1a05 4a036e6577");

    CreateVolumeRequest request = CreateVolumeRequest.parseFrom(sent);

    assertThat(request.getVolumeCapabilities(0).getUnknownFields().hasField(9)).isTrue();
    assertThat(request.toBuilder().build().toByteString()).isEqualTo(sent);
  }

  @Test
  void anUnknownCapabilityIsUnrecognizedAndSurvivesARoundTrip() throws Exception {
    ByteString sent = bytes("0a04 0a02 0863");

    ControllerGetCapabilitiesResponse response = ControllerGetCapabilitiesResponse.parseFrom(sent);

    ControllerServiceCapability.RPC rpc = response.getCapabilities(0).getRpc();
    assertThat(rpc.getType()).isEqualTo(ControllerServiceCapability.RPC.Type.UNRECOGNIZED);
    assertThat(rpc.getTypeValue()).isEqualTo(99);
    assertThat(response.toBuilder().build().toByteString()).isEqualTo(sent);
    assertThat(JsonFormat.printer().omittingInsignificantWhitespace().print(response))
        .isEqualTo("{\"capabilities\":[{\"rpc\":{\"type\":99}}]}");
  }

  @Test
  void anUnknownAccessModeIsUnrecognizedAndSurvivesARoundTrip() throws Exception {
    ByteString sent = bytes("0a03707663 1a04 1a02 082a");

    CreateVolumeRequest request = CreateVolumeRequest.parseFrom(sent);

    AccessMode mode = request.getVolumeCapabilities(0).getAccessMode();
    assertThat(mode.getMode()).isEqualTo(AccessMode.Mode.UNRECOGNIZED);
    assertThat(mode.getModeValue()).isEqualTo(42);
    assertThat(request.toBuilder().build().toByteString()).isEqualTo(sent);
  }

  @Test
  void anUnknownMemberOfAOneofLeavesItUnsetAndSurvivesARoundTrip() throws Exception {
    // Field 3 of the plugin capability, which has 1 and 2.
    ByteString sent = bytes("0a04 1a02 0801");

    GetPluginCapabilitiesResponse response = GetPluginCapabilitiesResponse.parseFrom(sent);

    assertThat(response.getCapabilities(0).getTypeCase())
        .isEqualTo(PluginCapability.TypeCase.TYPE_NOT_SET);
    assertThat(response.toBuilder().build().toByteString()).isEqualTo(sent);
  }
}
