package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures a real block device. Needs root and losetup. */
class VolumeUsageIT {
  private static final long SIZE = 3L << 20;

  @TempDir Path temporary;

  private MountsBelow mounts;
  private String device = "";

  @BeforeEach
  void setUp() throws Exception {
    MountsBelow.assumePermitted(temporary.toRealPath());
    mounts = new MountsBelow(temporary.toRealPath());
    Path image = temporary.resolve("image");
    try (FileChannel file =
        FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), SIZE - 1);
    }
    device = losetup("-f", "--show", image.toString());
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
    if (!device.isEmpty()) {
      MountsBelow.run("losetup", "-d", device);
    }
  }

  private static String losetup(String... arguments) throws Exception {
    try {
      ProgramResult result =
          new SystemPrograms().run(ProgramCommand.of("losetup", arguments), Duration.ofSeconds(60));
      assumeTrue(result.succeeded(), "no loop device can be attached here");
      return result.stdout().strip();
    } catch (IOException e) {
      return abort("losetup is missing");
    }
  }

  @Test
  void aBlockVolumeIsMeasuredAtItsNodeAndWhereItIsBound() throws Exception {
    UsageReader reader = UsageReader.system();
    assertThat(reader.ofBlockDevice(Path.of(device))).isEqualTo(VolumeUsage.ofBlock(SIZE));
    Path target = Files.createFile(temporary.toRealPath().resolve("target"));
    Mounter.system().bind(Path.of(device), target, MountOptions.NONE);
    assertThat(reader.ofBlockDevice(target)).isEqualTo(VolumeUsage.ofBlock(SIZE));
  }

  @Test
  void aDeviceIsMountedOnceByWhateverName() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/sbin/mkfs.ext4")), "mkfs.ext4 is missing");
    MountsBelow.run("mkfs.ext4", "-q", device);
    Path target = Files.createDirectory(temporary.toRealPath().resolve("target"));
    Path other = Files.createSymbolicLink(temporary.resolve("by-id"), Path.of(device));
    Mounter mounter = Mounter.system();
    mounter.mount(device, target, "ext4", List.of("nosuid"));
    mounter.mount(other.toString(), target, "ext4", List.of("nosuid"));
    assertThat(mounts.list()).hasSize(1);
    Files.write(target.resolve("file"), "x".getBytes(StandardCharsets.UTF_8));
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }
}
