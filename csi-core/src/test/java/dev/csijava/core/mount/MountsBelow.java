package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The mounts that a test makes below its directory, apart from the Mounter that it tests: it runs
 * the programs itself, and cleans up whatever the test left.
 */
public final class MountsBelow {
  private static final long SECONDS = 60;

  private final Path directory;
  private final List<Process> processes = new ArrayList<>();

  public MountsBelow(Path directory) {
    this.directory = directory;
  }

  /** Skips the test, by name, where no mount can be made. */
  public static void assumePermitted(Path directory) throws Exception {
    assumeTrue(
        Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")),
        "real mounts need root");
    Path probe = Files.createDirectories(directory.resolve("probe"));
    boolean works = exitCode("mount", "-n", "-t", "tmpfs", "probe", probe.toString()) == 0;
    assumeTrue(works, "this environment does not permit mounts");
    run("umount", "-n", probe.toString());
  }

  /** Runs a program and expects it to succeed. */
  public static void run(String... command) throws Exception {
    assertThat(exitCode(command)).as(Arrays.toString(command)).isZero();
  }

  public static int exitCode(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(Arrays.toString(command) + " hangs");
    }
    return process.exitValue();
  }

  /** A process that ends with the test; its first line of output says that it is ready. */
  public Process background(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    processes.add(process);
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    return process;
  }

  public List<Mount> list() throws IOException {
    return MountTable.read().below(directory);
  }

  public void end(Process process) throws Exception {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** Leaves nothing, and fails the test if something can't be got rid of. */
  public void clean() throws Exception {
    for (Process process : processes) {
      end(process);
    }
    for (int round = 0; round < 100 && !list().isEmpty(); round++) {
      List<Mount> left = new ArrayList<>(list());
      Collections.reverse(left);
      for (Mount mount : left) {
        int unused = exitCode("umount", "-n", "-c", "-i", "--", mount.target().toString());
      }
    }
    assertThat(list()).isEmpty();
  }
}
