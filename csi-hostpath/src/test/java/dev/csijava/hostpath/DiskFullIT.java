package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.StillTree;
import dev.csijava.hostpath.testing.TestMounts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A state directory without any room left: each call that saves something fails with a clear error
 * and leaves all as it was; deletes work; with room again the same calls succeed (rule K7).
 */
class DiskFullIT {
  @TempDir private Path directory;

  @BeforeEach
  void needs() {
    assumeTrue(Programs.missing("mkfs.ext4").isEmpty(), "mkfs.ext4 is not installed");
  }

  /**
   * A call that needs room.
   *
   * @param code what it fails with
   */
  record Saving(String name, Status.Code code, CrashScenario.Act call) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Saving> calls() {
    Status.Code full = Status.Code.RESOURCE_EXHAUSTED;
    return List.of(
        new Saving("create a directory", full, w -> w.create("new", Requests.create("new"))),
        new Saving(
            "create an image", full, w -> w.create("new", Requests.image("new", "ext4", 2 << 20))),
        new Saving(
            "create a block volume",
            full,
            w -> w.create("new", Requests.blockVolume("new", 2 << 20))),
        new Saving(
            "clone",
            full,
            w ->
                w.create(
                    "new",
                    Requests.create("new").setVolumeContentSource(Requests.fromVolume(w.id("v"))))),
        new Saving("snapshot", full, w -> w.snapshot("new", "v")),
        new Saving("snapshot an image", full, w -> w.snapshot("new", "image")),
        new Saving("snapshot a group", full, w -> w.group("new", "v", "image")),
        new Saving("attach", full, w -> w.attach("v")),
        new Saving("modify", full, w -> w.modify("v", "a", "b")),
        // Callers stay unsure of an expansion for ever where it answers RESOURCE_EXHAUSTED.
        new Saving("expand a directory", Status.Code.INTERNAL, w -> w.expand("v", 4 << 20)),
        new Saving("expand an image", Status.Code.INTERNAL, w -> w.expand("image", 4 << 20)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  @DisplayName("a disk that is full is an error that says so, and all stays as it was (K7)")
  void aFullDiskLeavesAllAsItWas(Saving saving) throws Exception {
    try (TestMounts mounts = TestMounts.below(directory)) {
      Path state = mounts.tmpfs("state", "4m");
      try (DriverThatDies driver = new DriverThatDies(mounts.directory())) {
        CrashWorld world = world(driver);
        List<String> before = CrashPicture.committed(world);
        List<String> files = files(state);
        Path filler = fill(state, 0);

        StatusRuntimeException failure = assertCode(saving.code(), () -> saving.call().on(world));

        assertThat(failure.getStatus().getDescription()).contains("o space left");
        assertThat(CrashPicture.committed(world)).isEqualTo(before);
        driver.restart();
        assertThat(CrashPicture.committed(world)).isEqualTo(before);
        Files.delete(filler);
        assertThat(files(state)).isEqualTo(files);
        saving.call().on(world);
      }
    }
  }

  @Test
  @DisplayName("an image whose file system does not fit is an error that says so (K7)")
  void anImageThatDoesNotFitLeavesAllAsItWas() throws Exception {
    try (TestMounts mounts = TestMounts.below(directory)) {
      Path state = mounts.tmpfs("state", "4m");
      try (DriverThatDies driver = new DriverThatDies(mounts.directory())) {
        CrashWorld world = world(driver);
        List<String> before = CrashPicture.committed(world);
        Path filler = fill(state, 64 << 10);

        StatusRuntimeException failure =
            assertCode(
                Status.Code.RESOURCE_EXHAUSTED,
                () -> world.create("new", Requests.image("new", "ext4", 64 << 20)));

        assertThat(failure.getStatus().getDescription()).contains("o space left");
        assertThat(CrashPicture.committed(world)).isEqualTo(before);
        Files.delete(filler);
      }
    }
  }

  @Test
  @DisplayName("deletes need no room (K7)")
  void deletesNeedNoRoom() throws Exception {
    try (TestMounts mounts = TestMounts.below(directory)) {
      Path state = mounts.tmpfs("state", "4m");
      try (DriverThatDies driver = new DriverThatDies(mounts.directory())) {
        CrashWorld world = world(driver);
        world.group("group", "v", "image");
        world.snapshot("snapshot", "v");
        Path filler = fill(state, 0);

        world.deleteGroup("group");
        world.deleteSnapshot("snapshot");
        world.delete("v");
        world.delete("image");

        assertThat(CrashPicture.committed(world)).isEmpty();
        Files.delete(filler);
      }
    }
  }

  private static CrashWorld world(DriverThatDies driver) {
    CrashWorld world = new CrashWorld(driver);
    world.create("v", Requests.create("v"));
    world.create("image", Requests.image("image", "ext4", 2 << 20));
    return world;
  }

  private static List<String> files(Path state) throws IOException {
    return StillTree.of(state, state.resolve("trash")).stream()
        .map(Path::toString)
        .sorted()
        .toList();
  }

  /** Takes all room but so many bytes. */
  private static Path fill(Path state, int left) throws IOException {
    Path filler = state.resolve("filler");
    try (OutputStream out = Files.newOutputStream(filler)) {
      byte[] page = new byte[4096];
      while (Files.getFileStore(state).getUsableSpace() > left) {
        out.write(page);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    return filler;
  }
}
