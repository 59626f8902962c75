package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.FileSystemType;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.ImageFileSystem;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackingChoiceTest {
  private static final Map<String, String> IMAGE = Map.of("backing", "image");

  private static VolumeCapability mount(String type, String... flags) {
    return Requests.fileSystem(type, Mode.SINGLE_NODE_WRITER, flags);
  }

  private static Record image(String type) {
    return Record.newBuilder()
        .setBacking(Backing.IMAGE)
        .setFileSystem(ImageFileSystem.newBuilder().setType(type).setFormatted(true))
        .build();
  }

  private static Record of(Backing backing) {
    return Record.newBuilder().setBacking(backing).build();
  }

  @Test
  void theParameterAndTheAccessTypeDecide() {
    assertThat(BackingChoice.of(Map.of(), List.of(mount("ext4"))).backing())
        .isEqualTo(Backing.DIRECTORY);
    assertThat(BackingChoice.of(Map.of(), List.of()).backing()).isEqualTo(Backing.DIRECTORY);
    assertThat(BackingChoice.of(IMAGE, List.of(mount("xfs"))))
        .isEqualTo(new BackingChoice(Backing.IMAGE, FileSystemType.XFS));
    assertThat(BackingChoice.of(IMAGE, List.of(mount(""))).type()).isEqualTo(FileSystemType.EXT4);
    for (Map<String, String> parameters :
        List.of(Map.<String, String>of(), IMAGE, Map.of("backing", "directory"))) {
      assertThat(BackingChoice.of(parameters, List.of(Requests.block())).backing())
          .isEqualTo(Backing.BLOCK);
    }
  }

  @Test
  void whatNoVolumeCanBeIsInvalid() {
    assertInvalid(Map.of("backing", "tape"), mount("ext4"));
    assertInvalid(Map.of(), mount("ext4"), Requests.block());
    assertInvalid(IMAGE, mount("btrfs"));
    assertInvalid(IMAGE, mount("EXT4"));
    assertInvalid(IMAGE, mount("ext4"), mount("xfs"));
  }

  private static void assertInvalid(
      Map<String, String> parameters, VolumeCapability... capabilities) {
    assertFails(
        Status.Code.INVALID_ARGUMENT, () -> BackingChoice.of(parameters, List.of(capabilities)));
  }

  /** Callers fill in an ordinary one; what else is asked for is a wish that can't be kept. */
  @Test
  void aDirectoryTakesTheNamesThatCallersFillInAndNoOther() {
    for (String ordinary : List.of("", "ext4", "xfs", "btrfs")) {
      assertThat(BackingChoice.of(Map.of(), List.of(mount(ordinary))).type()).isNull();
    }
    assertInvalid(Map.of(), mount("ntfs"));
    assertThat(BackingChoice.refusal(of(Backing.DIRECTORY), mount("no-such-fs"))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bogus", "bind", "remount", "loop=/dev/x", "data=a,b=c", "nouuid", "a b"})
  @DisplayName("unknown mount flags are refused, never dropped (B120)")
  void unknownFlagsAreRefused(String flag) {
    assertInvalid(Map.of(), mount("ext4", flag));
    assertInvalid(IMAGE, mount("ext4", flag));
    assertThat(BackingChoice.refusal(image("xfs"), mount("xfs", flag))).isPresent();
  }

  @Test
  @DisplayName("file-system flags go to the stage, per-mount flags to both (B118)")
  void flagsAreToldApart() {
    VolumeCapability capability = mount("ext4", "noatime,commit=30", "data=ordered", "ro");
    NodeAccess access = BackingChoice.access(image("ext4"), capability);

    assertThat(access.fileSystemFlags()).containsExactly("commit=30", "data=ordered");
    assertThat(access.options())
        .isEqualTo(MountOptions.of(MountOptions.Flag.NOATIME, MountOptions.Flag.RO));
    assertThat(access.readOnly()).isTrue();
    assertThat(BackingChoice.refusal(image("xfs"), mount("xfs", "commit=30"))).isPresent();
    assertThat(BackingChoice.refusal(of(Backing.DIRECTORY), mount("", "commit=30"))).isPresent();
  }

  @Test
  @DisplayName("the access type is part of the record (K10)")
  void anotherAccessTypeOrFileSystemIsRefusedInAFewWords() {
    assertThat(BackingChoice.refusal(of(Backing.BLOCK), mount(""))).isPresent();
    assertThat(BackingChoice.refusal(of(Backing.DIRECTORY), Requests.block())).isPresent();
    assertThat(BackingChoice.refusal(image("xfs"), Requests.block())).isPresent();
    assertThat(BackingChoice.refusal(image("xfs"), mount("ext4")).orElseThrow())
        .contains("xfs")
        .hasSizeLessThanOrEqualTo(128);
    assertThat(BackingChoice.refusal(image("xfs"), mount(""))).isEmpty();
    assertThat(BackingChoice.refusal(image("xfs"), mount("xfs"))).isEmpty();
    assertThat(BackingChoice.refusal(of(Backing.BLOCK), Requests.block())).isEmpty();
  }

  @Test
  void copiesGoAcrossFilesButNotToOrFromADirectory() {
    BackingChoice directory = new BackingChoice(Backing.DIRECTORY, null);
    BackingChoice block = new BackingChoice(Backing.BLOCK, null);
    BackingChoice ext4 = new BackingChoice(Backing.IMAGE, FileSystemType.EXT4);

    assertThat(directory.fileSystem(of(Backing.DIRECTORY), 1)).isEmpty();
    assertThat(block.fileSystem(image("xfs"), 1)).isEmpty();
    assertThat(ext4.fileSystem(of(Backing.BLOCK), 1).orElseThrow())
        .isEqualTo(ImageFileSystem.newBuilder().setType("ext4").setForeignUuid(true).build());
    assertThat(ext4.fileSystem(image("ext4"), 1).orElseThrow().getFormatted()).isTrue();
    assertThat(ext4.fileSystem(image("ext4"), 1).orElseThrow().getForeignUuid()).isTrue();
    assertThat(ext4.fileSystem(null, 7).orElseThrow().getGrownToBytes()).isEqualTo(7);
    assertThat(ext4.fileSystem(null, 7).orElseThrow().getForeignUuid()).isFalse();
    for (Runnable call :
        List.<Runnable>of(
            () -> directory.fileSystem(image("ext4"), 1),
            () -> directory.fileSystem(of(Backing.BLOCK), 1),
            () -> block.fileSystem(of(Backing.DIRECTORY), 1),
            () -> ext4.fileSystem(of(Backing.DIRECTORY), 1),
            () -> ext4.fileSystem(image("xfs"), 1))) {
      assertFails(Status.Code.INVALID_ARGUMENT, call::run);
    }
  }
}
