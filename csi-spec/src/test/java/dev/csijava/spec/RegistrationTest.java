package dev.csijava.spec;

import static dev.csijava.spec.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationProto;
import dev.csijava.spec.registration.RegistrationStatus;
import org.junit.jupiter.api.Test;

/** kubelet's plugin registration as kubelet speaks it. */
class RegistrationTest {

  /** The example of a driver in Kubernetes, 87 bytes: one line for each of the fields 1 to 4. */
  private static final ByteString EXAMPLE_BYTES =
      bytes(
          """
          0a09 435349506c7567696e
          1213 686f7374706174682e6373692e6b38732e696f
          1a2e 2f7661722f6c69622f6b7562656c65742f706c7567696e732f
               6373692d686f7374706174682f6373692e736f636b
          2205 312e302e30
          """);

  private static final PluginInfo EXAMPLE =
      PluginInfo.newBuilder()
          .setType("CSIPlugin")
          .setName("hostpath.csi.k8s.io")
          .setEndpoint("/var/lib/kubelet/plugins/csi-hostpath/csi.sock")
          .addSupportedVersions("1.0.0")
          .build();

  @Test
  void theExampleIsWrittenAsKubeletReadsIt() {
    assertThat(EXAMPLE_BYTES.size()).isEqualTo(87);
    assertThat(EXAMPLE.toByteString()).isEqualTo(EXAMPLE_BYTES);
  }

  @Test
  void theExampleIsReadAsARegistrarWritesIt() throws Exception {
    assertThat(PluginInfo.parseFrom(EXAMPLE_BYTES)).isEqualTo(EXAMPLE);
  }

  @Test
  void theStatusIsReadAsKubeletWritesIt() throws Exception {
    assertThat(RegistrationStatus.parseFrom(bytes("0801")))
        .isEqualTo(RegistrationStatus.newBuilder().setPluginRegistered(true).build());
    assertThat(RegistrationStatus.parseFrom(bytes("1203626164")))
        .isEqualTo(RegistrationStatus.newBuilder().setError("bad").build());
  }

  @Test
  void messagesFieldsAndRpcsAreKubeletsAndNoMore() {
    DescriptorRows compiled = new DescriptorRows(RegistrationProto.getDescriptor());

    assertThat(RegistrationProto.getDescriptor().getPackage()).isEqualTo("pluginregistration");
    assertThat(compiled.messages())
        .containsExactlyInAnyOrder(
            "message InfoRequest [-]",
            "message PluginInfo [-]",
            "message RegistrationStatus [-]",
            "message RegistrationStatusResponse [-]");
    assertThat(compiled.fields())
        .containsExactlyInAnyOrder(
            "PluginInfo.type = 1, string, single [-]",
            "PluginInfo.name = 2, string, single [-]",
            "PluginInfo.endpoint = 3, string, single [-]",
            "PluginInfo.supported_versions = 4, string, repeated [-]",
            "RegistrationStatus.plugin_registered = 1, bool, single [-]",
            "RegistrationStatus.error = 2, string, single [-]");
    assertThat(compiled.rpcs())
        .containsExactlyInAnyOrder(
            "Registration.GetInfo(InfoRequest) returns (PluginInfo), unary [-]",
            "Registration.NotifyRegistrationStatus(RegistrationStatus) returns"
                + " (RegistrationStatusResponse), unary [-]");
    assertThat(compiled.enumValues()).isEmpty();
    assertThat(compiled.extensions()).isEmpty();
  }
}
