package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MountsBelow;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures a real file system by system call. Needs root. */
class NativeUsageReaderIT {
  @TempDir Path temporary;

  private final UsageReader programs = UsageReader.byPrograms(Duration.ofMinutes(1));
  private final UsageReader reader = new NativeUsageReader(MountReader.system(), programs);
  private MountsBelow mounts;

  @BeforeEach
  void setUp() throws Exception {
    MountsBelow.assumePermitted(temporary.toRealPath());
    mounts = new MountsBelow(temporary.toRealPath());
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
  }

  @Test
  void itSaysWhatTheProgramsSay() throws Exception {
    Path target = Files.createDirectory(temporary.toRealPath().resolve("target"));
    Mounter.byPrograms(Duration.ofMinutes(1))
        .mount("volume", target, "tmpfs", List.of("size=1m,nr_inodes=100"));
    Files.write(target.resolve("file"), new byte[100_000]);
    VolumeUsage usage = reader.ofFileSystem(target);
    assertThat(usage).isEqualTo(programs.ofFileSystem(target));
    assertThat(usage.bytes().total()).isEqualTo(1 << 20);
    assertThat(usage.bytes().used()).isBetween(100_000L, 110_000L);
    assertThat(usage.inodes().orElseThrow().total()).isEqualTo(100);
  }

  @Test
  void aMissingPathIsNotFoundAndAnUnknownFileSystemIsLeftToThePrograms() {
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> reader.ofFileSystem(temporary.resolve("none")));
    assertThat(error).extracting("code").hasToString("NOT_FOUND");
    UsageReader refusing =
        new UsageReader() {
          @Override
          public VolumeUsage ofFileSystem(Path path) {
            return VolumeUsage.ofBlock(4711);
          }

          @Override
          public VolumeUsage ofBlockDevice(Path path) {
            return VolumeUsage.ofBlock(4712);
          }
        };
    UsageReader ours = new NativeUsageReader(MountReader.system(), refusing);
    assertThat(ours.ofBlockDevice(Path.of("/dev/null"))).isEqualTo(VolumeUsage.ofBlock(4712));
    assertThat(ours.ofFileSystem(Path.of("/dev/pts"))).isEqualTo(VolumeUsage.ofBlock(4711));
  }
}
