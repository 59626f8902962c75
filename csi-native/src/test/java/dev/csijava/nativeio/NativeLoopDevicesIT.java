package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.LoopDevicesContract;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract, kept by ioctl, and what only that way promises. */
class NativeLoopDevicesIT extends LoopDevicesContract {
  private static final String TAG = "csi-java-test:" + ProcessHandle.current().pid();

  @Override
  protected LoopDevices newLoopDevices() {
    return new NativeLoopDevices(LoopNodes.system(), TAG);
  }

  @Test
  @DisplayName("B058 parallel calls for one image make one device, in several processes too")
  void parallelCallsForOneImageMakeOneDevice() throws Exception {
    Set<LoopDevice> devices =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> newLoopDevices().attach(image, false))
            .collect(Collectors.toSet());
    assertThat(devices).hasSize(1);
    assertThat(devicesOf(image)).hasSize(1);
  }

  @Test
  @DisplayName("B061 a sweep releases what carries our tag, deleted images too, and nothing else")
  void aSweepReleasesOurOwnOnly() throws Exception {
    LoopDevice kept = loops.attach(image, false);
    LoopDevice lost = loops.attach(other, false);
    Files.delete(other);
    Path foreign = image(image.resolveSibling("foreign"));
    LoopDevices others = new NativeLoopDevices(LoopNodes.system(), TAG + "-other");
    LoopDevice theirs = others.attach(foreign, false);
    Path plain = image(image.resolveSibling("plain"));
    run("losetup", "--find", plain.toString());
    try {
      List<LoopDevice> swept = newLoopDevices().sweep(List.of(image, other));
      assertThat(swept).extracting(LoopDevice::node).containsExactly(lost.node());
      assertThat(swept.get(0).backingFile()).isEqualTo(other + " (deleted)");
      assertThat(loops.find(image)).contains(kept);
      assertThat(others.find(foreign)).contains(theirs);
      assertThat(devicesOf(plain)).hasSize(1);
      assertThat(newLoopDevices().sweep(List.of(image))).isEmpty();
    } finally {
      others.detach(foreign);
      others.detach(plain);
    }
  }

  @Test
  @DisplayName("B058 a sweep leaves what is mounted until nobody uses it")
  void aSweepDoesNotTakeAwayWhatIsUsed() throws Exception {
    LoopDevice device = loops.attach(image, false);
    try (FileChannel user = FileChannel.open(device.node(), StandardOpenOption.READ)) {
      assertThat(loops.sweep(List.of())).extracting(LoopDevice::node).contains(device.node());
      assertThat(user.size()).isEqualTo(4 * MIB);
    }
    assertThat(devicesOf(image)).isEmpty();
  }

  /** The kernel can't tell the number of such a file: nobody else's device suffers from that. */
  @Test
  void aForeignDeviceThatIsBrokenHurtsNoOther() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/fuse")), "/dev/fuse is missing");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bindfs")), "bindfs is missing");
    Path behind = Files.createDirectory(image.resolveSibling("behind"));
    Path point = Files.createDirectory(image.resolveSibling("point"));
    Path foreign = image(behind.resolve("foreign"));
    LoopDevice kept = loops.attach(image, false);
    Process helper =
        new ProcessBuilder(
                "bindfs", "-f", "-o", "attr_timeout=0", behind.toString(), point.toString())
            .start();
    try {
      Path seen = point.resolve("foreign");
      while (helper.isAlive() && !Files.exists(seen)) {
        Thread.sleep(10);
      }
      run("losetup", "--find", seen.toString());
      helper.destroyForcibly().waitFor();

      assertThat(loops.find(image)).contains(kept);
      assertThat(loops.attach(other, false).node()).isNotEqualTo(kept.node());
      assertThat(loops.sweep(List.of(image, other))).isEmpty();
      assertThat(loops.isAttachedAs(image, kept.node())).isTrue();
      loops.detach(other);
      assertThat(devicesOf(foreign)).isEmpty();
    } finally {
      helper.destroyForcibly();
      for (String line : losetup()) {
        if (line.endsWith(" " + point.resolve("foreign"))) {
          run("losetup", "--detach", line.substring(0, line.indexOf(' ')));
        }
      }
    }
  }

  private static List<String> losetup() throws IOException {
    Process process =
        new ProcessBuilder("losetup", "--list", "--noheadings", "--raw", "-O", "NAME,BACK-FILE")
            .start();
    try (BufferedReader lines = process.inputReader()) {
      return lines.lines().toList();
    }
  }

  @Test
  void directIoIsUsedWhereTheFileSystemCan() throws Exception {
    assertThat(loops.attach(image, false).directIo()).isTrue();
    assertThat(BlockDevice.size(loops.find(image).orElseThrow().node())).isEqualTo(4 * MIB);
  }

  @Test
  void aReadOnlyImageCannotBeAttachedWritable() throws Exception {
    Path point = Files.createDirectory(image.resolveSibling("point"));
    run("mount", "-n", "-t", "tmpfs", "t", point.toString());
    Path inMemory = image(point.resolve("image"));
    run("mount", "-n", "-o", "remount,ro", point.toString());
    CsiException error =
        catchThrowableOfType(CsiException.class, () -> loops.attach(inMemory, false));
    assertThat(error).extracting("code").hasToString("INTERNAL");
    assertThat(error).hasMessageContaining("EROFS");
    assertThat(loops.attach(inMemory, true).readOnly()).isTrue();
    loops.detach(inMemory);
    CsiException directory =
        catchThrowableOfType(CsiException.class, () -> loops.attach(point, true));
    assertThat(directory).extracting("code").hasToString("FAILED_PRECONDITION");
  }

  @Test
  @DisplayName("B112 a device without a node is given one, or the error says what to do")
  void aDeviceWithoutANodeIsGivenOne() throws Exception {
    Path devices = Files.createDirectory(image.resolveSibling("dev"));
    Files.createSymbolicLink(devices.resolve("loop-control"), Path.of("/dev/loop-control"));
    LoopNodes own = new LoopNodes(devices, LoopNodes.system().blocks());
    LoopDevice device = new NativeLoopDevices(own, TAG).attach(image, false);
    assertThat(device.node()).startsWith(devices);
    assertThat(devicesOf(image)).containsExactly("/dev/" + devices.relativize(device.node()));
    loops.detach(image);
    for (int i = 0; i < 256; i++) {
      Files.deleteIfExists(devices.resolve("loop" + i));
    }
    run("mount", "-n", "--bind", devices.toString(), devices.toString());
    run("mount", "-n", "-o", "remount,bind,ro", devices.toString());
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> new NativeLoopDevices(own, TAG).attach(image, false));
    assertThat(error).extracting("code").hasToString("INTERNAL");
    assertThat(error).hasMessageContaining("mount the node's /dev");
  }
}
