package dev.csijava.hostpath.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The mounts of a test below its directory, by mount(8); closing takes all of them away. */
public final class TestMounts implements AutoCloseable {
  private static final long XFS_BYTES = 320L << 20;

  private final Path directory;

  private TestMounts(Path directory) {
    this.directory = directory;
  }

  /** Skips the test, by name, where nothing can be mounted. */
  public static TestMounts below(Path directory) throws Exception {
    assumeTrue(
        Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")),
        "real mounts need root");
    TestMounts mounts = new TestMounts(directory.toRealPath());
    Path probe = Files.createDirectory(mounts.directory.resolve("probe"));
    boolean works = exitCode("mount", "-n", "-t", "tmpfs", "probe", probe.toString()) == 0;
    assumeTrue(works, "this environment does not permit mounts");
    run("umount", "-n", probe.toString());
    Files.delete(probe);
    return mounts;
  }

  /** The directory below which all of it is. */
  public Path directory() {
    return directory;
  }

  /** A file system in memory. */
  public Path tmpfs(String name, String size) throws Exception {
    Path point = Files.createDirectory(directory.resolve(name));
    run("mount", "-n", "-t", "tmpfs", "-o", "size=" + size, "t", point.toString());
    return point;
  }

  /** An xfs in an image, which can share blocks; unmounting it ends its loop device. */
  public Path xfs(String name) throws Exception {
    Path image = directory.resolve(name + ".image");
    try (FileChannel channel =
        FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.allocate(1), XFS_BYTES - 1);
    }
    assumeTrue(isThere("mkfs.xfs"), "mkfs.xfs is not installed");
    run("mkfs.xfs", "-q", "-m", "reflink=1", image.toString());
    Path point = Files.createDirectory(directory.resolve(name));
    boolean mounted =
        exitCode("mount", "-n", "-o", "loop", "-t", "xfs", image.toString(), point.toString()) == 0;
    assumeTrue(mounted, "no loop device can be mounted here");
    return point;
  }

  private static boolean isThere(String program) throws Exception {
    try {
      return exitCode(program, "-V") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Takes away all mounts below another directory of the test. */
  public void unmountAllOf(Path below) throws Exception {
    for (Mount mount : MountTable.read().below(below)) {
      run("umount", "-n", mount.target().toString());
    }
  }

  /** Runs a program and expects it to succeed. */
  public static void run(String... command) throws Exception {
    assertThat(exitCode(command)).as(Arrays.toString(command)).isZero();
  }

  private static int exitCode(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        throw new AssertionError(Arrays.toString(command) + " hangs");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(Arrays.toString(command) + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Leaves nothing, and fails the test if something can't be got rid of. */
  @Override
  public void close() throws IOException {
    for (int round = 0; round < 20 && !list().isEmpty(); round++) {
      List<Mount> left = new ArrayList<>(list());
      Collections.reverse(left);
      for (Mount mount : left) {
        int _ = exitCode("umount", "-n", "-i", "--", mount.target().toString());
      }
    }
    assertThat(list()).isEmpty();
  }

  private List<Mount> list() throws IOException {
    return MountTable.read().below(directory);
  }
}
