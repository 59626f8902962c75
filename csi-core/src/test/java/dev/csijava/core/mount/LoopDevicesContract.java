package dev.csijava.core.mount;

import static dev.csijava.core.mount.MountsBelow.exitCode;
import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every way to attach loop devices promises, with real ones. Needs root and losetup. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LoopDevicesContract {
  protected static final long MIB = 1 << 20;

  private static final Duration MOMENT = Duration.ofMillis(100);

  @TempDir Path temporary;

  protected MountsBelow mounts;
  protected Path image;
  protected Path other;
  protected LoopDevices loops;

  /** A fresh object, as after a restart. */
  protected abstract LoopDevices newLoopDevices();

  @BeforeEach
  void setUp() throws Exception {
    loops = newLoopDevices();
    Path directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
    image = image(directory.resolve("an image"));
    other = image(directory.resolve("other"));
    boolean works = exitCode("losetup", "--find", other.toString()) == 0;
    assumeTrue(works, "no loop device can be attached here");
    loops.detach(other);
  }

  protected static Path image(Path path) throws IOException {
    grow(path, 4 * MIB);
    return path;
  }

  private static void grow(Path path, long size) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), size - 1);
    }
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts == null) {
      return;
    }
    mounts.clean();
    for (Path file : new Path[] {image, other}) {
      for (String device : devicesOf(file)) {
        run("losetup", "-d", device);
      }
    }
  }

  protected static String[] devicesOf(Path file) throws IOException {
    Process process =
        new ProcessBuilder("losetup", "-n", "-O", "NAME", "-j", file.toString()).start();
    try (InputStream out = process.getInputStream()) {
      String text = new String(out.readAllBytes(), StandardCharsets.US_ASCII);
      return text.isBlank() ? new String[0] : text.strip().split("\\s+", -1);
    }
  }

  private static Code code(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error.code();
  }

  @Test
  void aKnownDeviceIsThatOfItsImageAlone() throws Exception {
    Path node = loops.attach(image, false).node();
    Path another = loops.attach(other, true).node();
    assertThat(loops.isAttachedAs(image, node)).isTrue();
    assertThat(loops.isAttachedAs(other, another)).isTrue();
    assertThat(loops.isAttachedAs(image, another)).isFalse();
    assertThat(loops.isAttachedAs(other, node)).isFalse();
    assertThat(loops.isAttachedAs(image.resolveSibling("missing"), node)).isFalse();
    assertThat(loops.isAttachedAs(image, Path.of("/dev/null"))).as("no loop device").isFalse();
    assertThat(loops.isAttachedAs(image, Path.of("/dev/loop-none"))).as("no device").isFalse();
    loops.detach(image);
    assertThat(loops.isAttachedAs(image, node)).as("detached").isFalse();
  }

  @Test
  @DisplayName("B058 an image is attached once, found again by a fresh object, and released")
  void anImageIsAttachedOnceAndFoundAgain() throws Exception {
    LoopDevice device = loops.attach(image, false);
    assertThat(loops.attach(image, false)).isEqualTo(device);
    Path link = Files.createSymbolicLink(temporary.resolve("link"), image);
    assertThat(newLoopDevices().find(link)).contains(device);
    assertThat(devicesOf(image)).containsExactly(device.node().toString());
    assertThat(device.backingFile()).isEqualTo(image.toString());
    loops.detach(image);
    loops.detach(image);
    assertThat(loops.find(image)).isEmpty();
    assertThat(devicesOf(image)).isEmpty();
  }

  @Test
  void twoImagesGetTwoDevicesAndOneIsReleasedAlone() {
    LoopDevice first = loops.attach(image, false);
    LoopDevice second = loops.attach(other, true);
    assertThat(first.node()).isNotEqualTo(second.node());
    assertThat(second.readOnly()).isTrue();
    loops.detach(image);
    assertThat(loops.find(other)).contains(second);
  }

  @Test
  void theOtherReadOnlyStateIsRefusedAndAMissingImageIsNamed() {
    LoopDevice unused = loops.attach(image, true);
    assertThat(code(() -> loops.attach(image, false))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(unused.readOnly()).isTrue();
    Path none = temporary.resolve("none");
    assertThat(code(() -> loops.attach(none, false))).isEqualTo(Code.NOT_FOUND);
    assertThat(loops.find(none)).isEmpty();
    loops.detach(none);
  }

  @Test
  @DisplayName("B107 the file grows first, then the device, and the size is read back")
  void aDeviceGrowsAfterItsFile() throws Exception {
    LoopDevice device = loops.attach(image, false);
    grow(image, 6 * MIB);
    assertThat(loops.grow(image)).isEqualTo(6 * MIB);
    assertThat(UsageReader.system().ofBlockDevice(device.node()))
        .isEqualTo(VolumeUsage.ofBlock(6 * MIB));
    assertThat(code(() -> loops.grow(other))).isEqualTo(Code.FAILED_PRECONDITION);
  }

  @Test
  @DisplayName("B043 a device in use is an error, and released when nobody uses it any more")
  void aDeviceInUseIsAnErrorAndReleasedLater() throws Exception {
    LoopDevice device = loops.attach(image, false);
    try (FileChannel holder = FileChannel.open(device.node(), StandardOpenOption.READ)) {
      assertThat(code(() -> loops.detach(image))).isEqualTo(Code.FAILED_PRECONDITION);
      assertThat(holder.size()).isEqualTo(4 * MIB);
    }
    assertThat(loops.find(image)).isEmpty();
  }

  @Test
  @DisplayName("B043 whoever looks at the device for a moment is waited for")
  void aDeviceThatIsOpenForAMomentIsReleased() throws Exception {
    while (!isReleasedAlthoughHeldForAMoment()) {
      // The machine stalled, and the moment was longer than anybody waits.
      loops.detach(image);
    }
    assertThat(devicesOf(image)).isEmpty();
  }

  /** False if it was refused while the device was held longer than a moment. */
  private boolean isReleasedAlthoughHeldForAMoment() throws Exception {
    LoopDevice device = loops.attach(image, false);
    FileChannel holder = FileChannel.open(device.node(), StandardOpenOption.READ);
    long start = System.nanoTime();
    Thread looker = new Thread(() -> closeAfterAMoment(holder));
    looker.start();
    try {
      loops.detach(image);
      return true;
    } catch (CsiException refusal) {
      looker.join();
      if (System.nanoTime() - start < MOMENT.multipliedBy(4).toNanos()) {
        throw refusal;
      }
      return false;
    } finally {
      looker.join();
    }
  }

  private static void closeAfterAMoment(FileChannel channel) {
    try (channel) {
      Thread.sleep(MOMENT.toMillis());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("B043 a loop device that kubelet puts over ours is not taken for ours")
  void aDeviceOverOursIsNotTouched() throws Exception {
    LoopDevice device = loops.attach(image, false);
    Path published = Files.createFile(image.resolveSibling("published"));
    Mounter.system().bind(device.node(), published, MountOptions.NONE);
    run("losetup", "--find", published.toString());
    String[] kubelets = devicesOf(published);
    try {
      assertThat(kubelets).hasSize(1);
      assertThat(loops.find(image)).contains(device);
      assertThat(code(() -> loops.detach(image))).isEqualTo(Code.FAILED_PRECONDITION);
      assertThat(devicesOf(published)).isEqualTo(kubelets);
    } finally {
      for (String one : kubelets) {
        run("losetup", "-d", one);
      }
    }
    Mounter.system().unmount(published);
    assertThat(loops.find(image)).isEqualTo(Optional.empty());
  }

  @Test
  void aSecondDeviceOrAPartOfTheImageIsRefused() throws Exception {
    run("losetup", "--find", "--offset", "4096", image.toString());
    assertThat(code(() -> loops.attach(image, false))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(code(() -> loops.detach(image))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(devicesOf(image)).hasSize(1);
  }

  @Test
  @DisplayName("B058 what is attached while it is used goes with the last that uses it")
  void anImageIsAttachedWhileItIsUsed() throws Exception {
    Path target = Files.createDirectory(image.resolveSibling("target"));
    run("mkfs.ext4", "-q", "-F", image.toString());
    LoopDevice device =
        loops.whileUsed(
            image,
            false,
            loop -> {
              Mounter.system().mount(loop.node().toString(), target, "ext4", List.of());
              return loop;
            });
    assertThat(loops.find(image).orElseThrow().node()).isEqualTo(device.node());
    Files.writeString(target.resolve("file"), "x");
    Mounter.system().unmount(target);
    assertThat(devicesOf(image)).isEmpty();
    assertThat(code(() -> loops.whileUsed(image, false, LoopDevicesContract::fail)))
        .isEqualTo(Code.INTERNAL);
    assertThat(devicesOf(image)).isEmpty();
  }

  private static LoopDevice fail(LoopDevice device) {
    throw CsiException.internal("can't use " + device, null);
  }

  @Test
  @DisplayName("B058 images that are attached at the same moment get a device each")
  void parallelCallsForManyImagesTakeOneDeviceEach() throws Exception {
    List<Path> images = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      images.add(image(image.resolveSibling("image-" + i)));
    }
    try {
      List<LoopDevice> devices =
          images.parallelStream().map(one -> loops.attach(one, false)).toList();
      assertThat(devices.stream().map(LoopDevice::node)).doesNotHaveDuplicates().hasSize(6);
      for (int i = 0; i < images.size(); i++) {
        assertThat(devicesOf(images.get(i))).containsExactly(devices.get(i).node().toString());
      }
    } finally {
      images.forEach(loops::detach);
    }
  }
}
