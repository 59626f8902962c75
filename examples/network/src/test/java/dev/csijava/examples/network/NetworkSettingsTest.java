package dev.csijava.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which options a mount gets, and who decides. */
class NetworkSettingsTest {
  private final NetworkSettings nfs =
      NetworkSettings.from(Map.of("NETWORK_SOURCE", "server:/export"));

  @Test
  void withoutFurtherSettingsItIsNfs() {
    assertThat(nfs.type()).isEqualTo("nfs");
    assertThat(nfs.credentialsOption()).isEmpty();
    assertThat(nfs.sourceOf("00000000-0000-0000-0000-000000000000"))
        .isEqualTo("server:/export/00000000-0000-0000-0000-000000000000/data");
    assertThat(NetworkSettings.from(Map.of("NETWORK_SOURCE", "server:/export/")).sourceOf("a"))
        .isEqualTo("server:/export/a/data");
    assertThat(NetworkSettings.from(Map.of("NETWORK_SOURCE", "server:/")).sourceOf("a"))
        .isEqualTo("server:/a/data");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NetworkSettings.from(Map.of()))
        .withMessageContaining("NETWORK_SOURCE");
  }

  @Test
  void whatTheAdministratorFixedComesLastAndWins() {
    VolumeCapability capability = capability(Mode.MULTI_NODE_MULTI_WRITER, "noatime,timeo=50");

    assertThat(nfs.refusal(capability)).isEmpty();
    assertThat(nfs.mountOptions(capability, false))
        .containsExactly("noatime", "timeo=50", "nfsvers=4.2", "hard", "nosuid", "nodev");
  }

  @Test
  void readersGetAReadOnlyMount() {
    assertThat(nfs.mountOptions(capability(Mode.MULTI_NODE_READER_ONLY), false)).endsWith("ro");
    assertThat(nfs.mountOptions(capability(Mode.SINGLE_NODE_WRITER), true)).endsWith("ro");
    assertThat(nfs.mountOptions(capability(Mode.SINGLE_NODE_WRITER), false)).doesNotContain("ro");
  }

  @Test
  void anOptionThatIsNotAllowedIsRefusedByNameWithoutItsValue() {
    for (String flag : List.of("suid", "soft", "remount", "noatime,soft", "noatime,", "", "rw")) {
      assertThat(nfs.refusal(capability(Mode.SINGLE_NODE_WRITER, flag))).as(flag).isPresent();
    }
    assertThat(nfs.refusal(capability(Mode.SINGLE_NODE_WRITER, "password=s3cr3t")).orElseThrow())
        .contains("password")
        .doesNotContain("s3cr3t");
  }

  @Test
  void onlyItsOwnFileSystemIsServed() {
    VolumeCapability.Builder block = capability(Mode.SINGLE_NODE_WRITER).toBuilder();
    block.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
    VolumeCapability.Builder disk = capability(Mode.SINGLE_NODE_WRITER).toBuilder();
    disk.getMountBuilder().setFsType("ext4");

    assertThat(nfs.refusal(block.build())).isPresent();
    assertThat(nfs.refusal(disk.build())).isPresent();
  }

  @Test
  void onlyWhatLooksLikeAnIdIsOne() {
    assertThat(NetworkVolume.isId("6f1b4f0e-9a3e-4f0a-8a58-4e3d1d2b7c10")).isTrue();
    for (String text :
        List.of("..", "a/b", "6f1b4f0e-9a3e-4f0a-8a58-4e3d1d2b7c10\n", "", ".lock")) {
      assertThat(NetworkVolume.isId(text)).as(text).isFalse();
    }
  }

  private static VolumeCapability capability(Mode mode, String... flags) {
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().addAllMountFlags(List.of(flags));
    capability.getAccessModeBuilder().setMode(mode);
    return capability.build();
  }
}
