package dev.csijava.examples.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.examples.existing.Disk.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The objects that are printed. */
class PersistentVolumesTest {
  private static final String ID = "0123456789abcdef";

  private static final UsageReader READER =
      new UsageReader() {
        @Override
        public VolumeUsage ofFileSystem(Path path) {
          return VolumeUsage.ofBlock(4096);
        }

        @Override
        public VolumeUsage ofBlockDevice(Path path) {
          return VolumeUsage.ofBlock(8192);
        }
      };

  private static String printed(Kind kind, Optional<String> fault) {
    return printed(kind, fault, READER);
  }

  private static String printed(Kind kind, Optional<String> fault, UsageReader reader) {
    return new PersistentVolumes(
            ExistingDriver.NAME,
            Map.entry(ExistingDriver.NAME + "/node", "node-1"),
            new Sizes(reader))
        .of(List.of(new Disk("ssd", ID, kind, Path.of("/mnt/disks/ssd"), fault)));
  }

  /** The README shows it. */
  @Test
  void aDiskIsPrintedAsTheReadmeShowsIt() throws IOException {
    assertThat(Files.readString(Path.of("README.md")))
        .contains("```yaml\n" + printed(Kind.MOUNT, Optional.empty()) + "```\n");
  }

  @Test
  void aDeviceIsABlockVolumeOfItsSize() {
    assertThat(printed(Kind.BLOCK, Optional.empty()))
        .contains("volumeMode: Block\n")
        .contains("storage: \"8192\"\n");
  }

  @Test
  void aDiskThatDoesNotSayItsSizeIsACommentAndStopsNothing() {
    UsageReader silent =
        new UsageReader() {
          @Override
          public VolumeUsage ofFileSystem(Path path) {
            throw CsiException.internal("the file system does not answer", null);
          }

          @Override
          public VolumeUsage ofBlockDevice(Path path) {
            throw CsiException.internal("the device does not answer", null);
          }
        };

    assertThat(printed(Kind.MOUNT, Optional.empty(), silent))
        .isEqualTo("# ssd: its size can't be told\n");
    assertThat(printed(Kind.BLOCK, Optional.empty(), silent)).startsWith("# ssd: ");
  }

  @Test
  void aDiskThatCannotBeUsedIsACommentOnly() {
    assertThat(printed(Kind.MOUNT, Optional.of("the disk is not mounted")))
        .isEqualTo("# ssd: the disk is not mounted\n");
  }
}
