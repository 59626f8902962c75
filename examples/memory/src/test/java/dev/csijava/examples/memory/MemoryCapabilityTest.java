package dev.csijava.examples.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a volume can be used, and what the kernel is asked for then. */
class MemoryCapabilityTest {
  @Test
  void sizeGroupAndFlagsBecomeMountOptions() {
    VolumeCapability.Builder capability = capability(Mode.SINGLE_NODE_WRITER);
    capability.getMountBuilder().setVolumeMountGroup("02345").addMountFlags("noexec");

    assertThat(MemoryCapability.refusal(capability.build())).isEmpty();
    assertThat(of(capability).fileSystemOptions(1 << 20))
        .containsExactly("size=1048576", "nr_inodes=256", "mode=2770", "gid=2345", "noexec");
  }

  @Test
  void whereOnlyReadersAreServedNothingCanBeWritten() {
    MemoryCapability readers = of(capability(Mode.SINGLE_NODE_READER_ONLY));

    assertThat(readers.fileSystemOptions(1 << 20)).contains("ro");
    assertThat(readers.targetOptions(false).readOnly()).isTrue();
    assertThat(readers.forOneTarget()).isTrue();
  }

  @Test
  void aGroupThatWouldSmuggleInAnOptionIsRefused() {
    for (String group : List.of("5,mode=0777", "wheel", "-1", "4294967295", "99999999999")) {
      VolumeCapability.Builder capability = capability(Mode.SINGLE_NODE_WRITER);
      capability.getMountBuilder().setVolumeMountGroup(group);

      assertThat(MemoryCapability.refusal(capability.build())).as(group).isPresent();
    }
  }

  @Test
  void whatMemoryIsNotIsRefused() {
    VolumeCapability.Builder block = capability(Mode.SINGLE_NODE_WRITER);
    block.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
    VolumeCapability.Builder disk = capability(Mode.SINGLE_NODE_WRITER);
    disk.getMountBuilder().setFsType("ext4");
    VolumeCapability.Builder flag = capability(Mode.SINGLE_NODE_WRITER);
    flag.getMountBuilder().addMountFlags("size=1t");

    assertThat(MemoryCapability.refusal(block.build())).isPresent();
    assertThat(MemoryCapability.refusal(disk.build())).isPresent();
    assertThat(MemoryCapability.refusal(capability(Mode.MULTI_NODE_READER_ONLY).build()))
        .isPresent();
    assertThatThrownBy(() -> MemoryCapability.refusal(flag.build()))
        .isInstanceOf(CsiException.class);
  }

  private static MemoryCapability of(VolumeCapability.Builder capability) {
    return MemoryCapability.of(capability.build(), CsiException::invalidArgument);
  }

  private static VolumeCapability.Builder capability(Mode mode) {
    VolumeCapability.Builder capability = VolumeCapability.newBuilder();
    capability.getMountBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    return capability;
  }
}
