package dev.csijava.hostpath.mounts;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelMountsTest {
  private static final String TABLE =
      """
      1 1 8:1 / / rw - ext4 /dev/sda1 rw
      2 1 0:5 / /dev rw - devtmpfs dev rw
      3 1 8:1 /host/state/volumes/a/data /stage/a rw - ext4 /dev/sda1 rw
      4 1 7:3 / /stage/b rw - ext4 /dev/loop3 rw
      5 1 7:3 / /pods/b rw - ext4 /dev/loop3 rw
      6 1 0:5 /loop4 /pods/c rw - devtmpfs dev rw
      7 1 7:9 / /stage/foreign rw - xfs /dev/loop9 rw
      8 1 8:1 /host/state /state rw - ext4 /dev/sda1 rw
      """;

  @TempDir private Path directory;

  private KernelMounts mounts() throws IOException {
    Path file = Files.writeString(directory.resolve("mountinfo"), TABLE);
    return new KernelMounts(() -> MountTable.read(file), new Loops());
  }

  private static final class Loops extends LoopFileNames {
    private static final Map<String, Path> FILES =
        Map.of(
            "7:3", Path.of("/state/volumes/b/data"),
            "7:4", Path.of("/state/volumes/c/data"),
            "7:9", Path.of("/somebody/image"));

    @Override
    Optional<Path> file(String device) {
      return Optional.ofNullable(FILES.get(device));
    }

    @Override
    Optional<String> number(Path node) {
      return switch (node.toString()) {
        case "/dev/loop3" -> Optional.of("7:3");
        case "/dev/loop4", "/pods/c" -> Optional.of("7:4");
        default -> Optional.empty();
      };
    }
  }

  @Test
  void theMountsOfADeviceAreThoseOfItsFileSystemAndOfItsNode() throws IOException {
    assertThat(mounts().ofDevice(Path.of("/dev/loop3")))
        .extracting(Mount::target)
        .containsExactly(Path.of("/stage/b"), Path.of("/pods/b"));
    assertThat(mounts().ofDevice(Path.of("/dev/loop4")))
        .extracting(Mount::target)
        .containsExactly(Path.of("/pods/c"));
    assertThat(mounts().ofDevice(Path.of("/dev/loop5"))).isEmpty();
  }

  @Test
  void whatIsShownIsFoundThroughBindsAndLoopDevices() throws IOException {
    Path base = Path.of("/state/volumes");
    assertThat(mounts().shownAt(Path.of("/stage/a"), base)).contains(base.resolve("a/data"));
    assertThat(mounts().shownAt(Path.of("/stage/b"), base)).contains(base.resolve("b/data"));
    assertThat(mounts().shownAt(Path.of("/pods/b"), base)).contains(base.resolve("b/data"));
    assertThat(mounts().shownAt(Path.of("/pods/c"), base)).contains(base.resolve("c/data"));
    assertThat(mounts().shownAt(Path.of("/stage/foreign"), base)).isEmpty();
    assertThat(mounts().shownAt(Path.of("/stage"), base)).isEmpty();
  }

  /** A chroot that is no mount sees none that holds its files; DeleteVolume asks this (K1). */
  @Test
  void whoUsesAPathIsNotToldWhereNoMountHoldsIt() throws IOException {
    Path file = Files.writeString(directory.resolve("none"), "2 1 0:5 / /dev rw - tmpfs dev rw\n");
    KernelMounts blind = new KernelMounts(() -> MountTable.read(file), new Loops());
    assertFails(Status.Code.UNAVAILABLE, () -> blind.showing(Path.of("/state/volumes/a")));
    assertThat(blind.showing(Path.of("/dev/shm"))).isEmpty();
  }
}
