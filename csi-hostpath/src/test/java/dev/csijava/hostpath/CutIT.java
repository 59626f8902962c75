package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.copy.DescriptorFileCopier;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.ProgramFileCopier;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.nativeio.FileSystemFreeze;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds still for a cut, and what does not (rule K12), with real mounts. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CutIT {
  private static final long MIB = 1L << 20;
  private static final VolumeCapability EXT4 = capability("ext4");

  @TempDir Path directory;

  private CutMachine machine;
  private ServedDriver driver;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(
        Programs.missing("losetup", "mkfs.ext4", "mkfs.xfs", "xfs_admin", "e2fsck").isEmpty(),
        "losetup, e2fsprogs and xfsprogs are needed");
    serve(new DescriptorFileCopier());
  }

  private void serve(FileCopier copier) throws IOException {
    machine = new CutMachine(copier);
    driver = ServedDriver.start(directory, settings -> settings, machine::open);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static VolumeCapability capability(String type) {
    return Requests.fileSystem(type, Mode.SINGLE_NODE_MULTI_WRITER);
  }

  private String image(String name, String type) {
    return driver
        .create(Requests.image(name, type, type.equals("xfs") ? 300 * MIB : 16 * MIB))
        .getVolumeId();
  }

  private void assertNothingIsHeld(Path... mountPoints) throws IOException {
    for (Path point : mountPoints) {
      assertThat(CutMachine.isFrozen(point)).as("%s is frozen", point).isFalse();
    }
    assertThat(driver.root().resolve("run/frozen")).isEmptyDirectory();
  }

  private List<Boolean> whatIsFrozenAtCut(Path... mountPoints) {
    List<Boolean> frozen = new ArrayList<>();
    machine.atCut(
        from -> {
          for (Path point : mountPoints) {
            frozen.add(CutMachine.isFrozen(point));
          }
          assertThat(driver.root().resolve("run/frozen")).isNotEmptyDirectory();
        });
    return frozen;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  @DisplayName("CTRL-SNAP-017 a staged image is frozen for snapshot and clone, and goes on then")
  void aStagedImageIsFrozenForItsCut(String type) throws IOException {
    String id = image("one", type);
    Path staging = driver.stage(id, capability(type));
    Files.writeString(staging.resolve("file"), "not synced");
    List<Boolean> frozen = whatIsFrozenAtCut(staging);

    String snapshot = driver.snapshot("snapshot", id);
    assertNothingIsHeld(staging);
    driver.create(
        Requests.image("clone", type, type.equals("xfs") ? 300 * MIB : 16 * MIB)
            .setVolumeContentSource(Requests.fromVolume(id)));
    assertNothingIsHeld(staging);

    assertThat(frozen).containsExactly(true, true);
    Files.writeString(staging.resolve("file"), "goes on");
    machine.atCut(CutMachine.GOING_ON);
    if (type.equals("ext4")) {
      // A journal that is not replayed would be told of.
      Programs.run(
          "e2fsck",
          "-f",
          "-n",
          driver.root().resolve("state/snapshots").resolve(snapshot).resolve("data").toString());
    }
    driver.unstage(id);
  }

  @Test
  void withoutNativeAccessAProgramFreezes() throws IOException {
    assumeTrue(Programs.missing("fsfreeze").isEmpty(), "fsfreeze is not installed");
    driver.close();
    serve(new ProgramFileCopier());
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    List<Boolean> frozen = whatIsFrozenAtCut(staging);
    driver.snapshot("snapshot", id);
    assertThat(frozen).containsExactly(true);
    assertNothingIsHeld(staging);
  }

  @Test
  void aCutThatFailsThawsToo() throws IOException {
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    AtomicBoolean frozen = new AtomicBoolean();
    machine.atCut(
        from -> {
          frozen.set(CutMachine.isFrozen(staging));
          throw new IOException("Input/output error");
        });
    assertCode(Status.Code.INTERNAL, () -> driver.snapshot("snapshot", id));
    assertThat(frozen).isTrue();
    assertNothingIsHeld(staging);
    assertThat(snapshots()).isZero();
  }

  private int snapshots() {
    return driver
        .client()
        .controller()
        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
        .getEntriesCount();
  }

  @Test
  void whatSomebodyElseHasFrozenStaysSo() throws IOException {
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    assertThat(FileSystemFreeze.freeze(staging)).isTrue();
    driver.snapshot("snapshot", id);
    assertThat(CutMachine.isFrozen(staging)).isTrue();
    assertThat(driver.root().resolve("run/frozen")).isEmptyDirectory();
    driver.restart();
    assertThat(FileSystemFreeze.thaw(staging)).isTrue();
  }

  @Test
  @DisplayName("GROUP-CREATE-010 the images of a group are frozen together")
  void theImagesOfAGroupAreFrozenTogether() throws IOException {
    String one = image("one", "ext4");
    String two = image("two", "ext4");
    Path first = driver.stage(one, EXT4);
    Path second = driver.stage(two, EXT4);
    List<Boolean> frozen = whatIsFrozenAtCut(first, second);
    CreateVolumeGroupSnapshotRequest request =
        CreateVolumeGroupSnapshotRequest.newBuilder()
            .setName("group")
            .addSourceVolumeIds(one)
            .addSourceVolumeIds(two)
            .build();
    var groups = GroupControllerGrpc.newBlockingStub(driver.client().channel());
    assertThat(groups.createVolumeGroupSnapshot(request).getGroupSnapshot().getSnapshotsCount())
        .isEqualTo(2);
    assertThat(frozen).containsExactly(true, true, true, true);
    assertNothingIsHeld(first, second);

    AtomicInteger cuts = new AtomicInteger();
    machine.atCut(
        from -> {
          if (cuts.incrementAndGet() == 2) {
            throw new IOException("Input/output error");
          }
        });
    assertCode(
        Status.Code.INTERNAL,
        () -> {
          var _ = groups.createVolumeGroupSnapshot(request.toBuilder().setName("other").build());
        });
    assertNothingIsHeld(first, second);
    // GROUP-CREATE-019
    assertThat(snapshots()).isEqualTo(2);
  }

  /** A cut that takes until it is let go. */
  private final class LongCut {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger cuts = new AtomicInteger();
    private final CompletableFuture<String> snapshot;

    LongCut(String volumeId) throws Exception {
      machine.atCut(
          from -> {
            cuts.incrementAndGet();
            begun.countDown();
            try {
              assertThat(end.await(3, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new IOException(e);
            }
          });
      snapshot = CompletableFuture.supplyAsync(() -> driver.snapshot("long", volumeId));
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    String finish() {
      machine.atCut(CutMachine.GOING_ON);
      end.countDown();
      return snapshot.join();
    }
  }

  @Test
  void severalCutsOfOneImageShareAFreeze() throws Exception {
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    LongCut cut = new LongCut(id);
    machine.atCut(CutMachine.GOING_ON);
    driver.create(
        Requests.image("clone", "ext4", 16 * MIB).setVolumeContentSource(Requests.fromVolume(id)));
    assertThat(CutMachine.isFrozen(staging)).isTrue();
    cut.finish();
    assertNothingIsHeld(staging);
  }

  @ParameterizedTest
  @ValueSource(strings = {"image", "directory"})
  @DisplayName(
      "K8 a copy that takes long holds up neither publish nor unpublish, nor other volumes")
  void aLongCopyHoldsUpNeitherPublishNorUnpublish(String backing) throws Exception {
    boolean isImage = backing.equals("image");
    VolumeCapability capability = isImage ? EXT4 : Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);
    String id =
        isImage
            ? image("one", "ext4")
            : driver
                .create(
                    Requests.create("one")
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(capability))
                .getVolumeId();
    driver.stage(id, capability);
    driver.publish(id, "a", capability, false);
    LongCut cut = new LongCut(id);
    long begin = System.nanoTime();

    driver.publish(id, "b", capability, false);
    driver.publish(id, "c", capability, true);
    driver.unpublish(id, "a");
    driver.unpublish(id, "b");
    String other = image("other", "ext4");
    driver.stage(other, EXT4);
    driver.publish(other, "d", EXT4, false);
    driver.unpublish(other, "d");
    driver.unstage(other);
    driver.delete(other);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(2));
    assertThat(cut.snapshot).isNotDone();
    // Its data has to stay until it is copied.
    assertCode(Status.Code.ABORTED, () -> driver.delete(id));

    assertThat(cut.finish()).isNotEmpty();
    driver.unpublish(id, "c");
    driver.unstage(id);
  }

  @Test
  @DisplayName("K12 no copy is taken of an image that is just checked or formatted")
  void theFirstStageWaitsForACopy() throws Exception {
    String id = image("one", "ext4");
    LongCut cut = new LongCut(id);
    assertCode(Status.Code.ABORTED, () -> driver.stage(id, EXT4));
    cut.finish();
    driver.stage(id, EXT4);
    driver.unstage(id);
  }

  @Test
  void anImageThatIsFrozenIsNotUnmounted() throws Exception {
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    LongCut cut = new LongCut(id);
    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.unstage(id));
    assertThat(CutMachine.isFrozen(staging)).isTrue();
    cut.finish();
    assertNothingIsHeld(staging);
    driver.unstage(id);
  }

  @Test
  @DisplayName("B137 the copy goes on after the deadline, and a repeat joins it")
  void aRepeatJoinsTheCopyThatRuns() throws Exception {
    String id = driver.create(Requests.create("one")).getVolumeId();
    LongCut cut = new LongCut(id);
    assertCode(
        Status.Code.DEADLINE_EXCEEDED,
        () -> {
          var _ =
              driver
                  .client()
                  .controller()
                  .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                  .createSnapshot(Requests.snapshot("long", id).build());
        });
    CompletableFuture<String> repeat =
        CompletableFuture.supplyAsync(() -> driver.snapshot("long", id));
    String made = cut.finish();
    assertThat(repeat.join()).isEqualTo(made);
    assertThat(cut.cuts).hasValue(1);
  }

  @Test
  @DisplayName("B131 nothing that is written after the answer is in the snapshot")
  void theCutIsDoneWhenTheCallIsAnswered() throws Exception {
    String id = image("one", "ext4");
    Path staging = driver.stage(id, EXT4);
    AtomicInteger counter = new AtomicInteger();
    AtomicBoolean end = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try {
                while (!end.get()) {
                  Files.writeString(
                      staging.resolve("counter"), String.format("%09d", counter.get()));
                  counter.incrementAndGet();
                }
              } catch (IOException e) {
                counter.set(-1);
              }
            });
    writer.start();
    awaitMoreThan(0, counter);
    int answered;
    String snapshot;
    try {
      snapshot = driver.snapshot("snapshot", id);
      answered = counter.get();
      awaitMoreThan(answered, counter);
    } finally {
      end.set(true);
      writer.join();
    }
    String copy =
        driver
            .create(
                Requests.image("copy", "ext4", 16 * MIB)
                    .setVolumeContentSource(Requests.fromSnapshot(snapshot)))
            .getVolumeId();
    String text = Files.readString(driver.stage(copy, EXT4).resolve("counter"));
    assertThat(answered).isPositive();
    assertThat(counter.get()).isGreaterThan(answered);
    // The file is emptied before it is written, and the cut may be in between.
    assertThat(text.isEmpty() ? 0 : Integer.parseInt(text)).isLessThanOrEqualTo(answered);
  }

  private static void awaitMoreThan(int least, AtomicInteger counter) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (counter.get() >= 0 && counter.get() <= least && System.nanoTime() < end) {
      Thread.sleep(5);
    }
  }

  @Test
  @DisplayName("a freeze outlives kill -9, and the next start thaws what this driver has frozen")
  void aFreezeThatAKillLeftIsThawedAtTheStart() throws Exception {
    driver.close();
    boolean served = false;
    int port = freePort();
    Path root = directory.toRealPath();
    Process process = kill(root, port);
    try (Client client = new Client(port)) {
      String id =
          client
              .controller()
              .createVolume(Requests.image("one", "ext4", 16 * MIB).build())
              .getVolume()
              .getVolumeId();
      String foreign =
          client
              .controller()
              .createVolume(Requests.image("two", "ext4", 16 * MIB).build())
              .getVolume()
              .getVolumeId();
      Path staging = ServedDriver.stage(client, root, id, EXT4);
      Path other = ServedDriver.stage(client, root, foreign, EXT4);
      assertThat(FileSystemFreeze.freeze(other)).isTrue();
      CompletableFuture<Status.Code> call = CompletableFuture.supplyAsync(() -> cut(client, id));
      while (!Files.exists(root.resolve("cutting"))) {
        assertThat(call).as("the call ended before its cut").isNotDone();
        Thread.sleep(20);
      }
      process.destroyForcibly().waitFor();
      assertThat(call.join()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(CutMachine.isFrozen(staging)).isTrue();

      served = true;
      serve(new DescriptorFileCopier());
      assertThat(CutMachine.isFrozen(staging)).isFalse();
      assertThat(CutMachine.isFrozen(other)).isTrue();
      assertThat(FileSystemFreeze.thaw(other)).isTrue();
      assertNothingIsHeld(staging, other);
      Files.writeString(staging.resolve("file"), "goes on");
      assertThat(snapshots()).isZero();
      assertThat(driver.snapshot("snapshot", id)).isNotEmpty();
    } finally {
      process.destroyForcibly().waitFor();
      if (!served) {
        // For its cleaning.
        serve(new DescriptorFileCopier());
      }
    }
  }

  private static Status.Code cut(Client client, String id) {
    try {
      var _ =
          client.impatientController().createSnapshot(Requests.snapshot("snapshot", id).build());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private static Process kill(Path root, int port) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            KilledAtCut.class.getName(),
            root.toString(),
            String.valueOf(port))
        .redirectErrorStream(true)
        .redirectOutput(root.resolve("log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
