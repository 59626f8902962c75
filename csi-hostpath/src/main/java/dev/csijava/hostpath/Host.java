package dev.csijava.hostpath;

import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.copy.Copiers;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.DeviceHolders;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.mounts.MountView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;

/**
 * What the driver needs of the machine; tests put their own in its place.
 *
 * @param loops the loop devices of a state directory, which is there already
 */
record Host(
    Disk disk,
    Mounter mounter,
    MountView mounts,
    UsageReader usage,
    TreeCopier copier,
    FileCopier fileCopier,
    Loops loops,
    Filesystems filesystems,
    Steps steps,
    Clock clock) {
  /** A large file system takes its time to be checked, and callers join what is under way. */
  private static final Duration FILE_SYSTEM_DEADLINE = Duration.ofMinutes(30);

  private static final int MOST_FORMATTED_AT_ONCE = 2;

  /** Where loop devices come from. */
  @FunctionalInterface
  interface Loops {
    /**
     * Those that carry the mark of a state directory.
     *
     * @throws IOException if it can't be looked at
     */
    LoopDevices of(Path stateDirectory) throws IOException;
  }

  static Host real() {
    Copiers copiers = Copiers.system();
    return new Host(
        new LocalDisk(),
        Mounter.system(),
        new KernelMounts(),
        UsageReader.system(),
        copiers.tree(),
        copiers.file(),
        stateDirectory -> LoopDevices.system(tag(stateDirectory)),
        Filesystems.byPrograms(FILE_SYSTEM_DEADLINE, MOST_FORMATTED_AT_ONCE),
        Steps.NONE,
        Clock.systemUTC());
  }

  /**
   * Another one for each state directory: a driver sweeps only what it attached itself. By what the
   * directory is, not by its path, which is the same in the containers of two drivers. It may
   * change with a reboot, which no loop device outlives.
   */
  static String tag(Path stateDirectory) throws IOException {
    Object key = Files.readAttributes(stateDirectory, BasicFileAttributes.class).fileKey();
    return "csi-hostpath:" + KubeletPaths.volumeHandleHash(String.valueOf(key)).substring(0, 16);
  }

  Backings.Machine machine(LoopDevices devices) {
    return new Backings.Machine(
        disk,
        copier,
        fileCopier,
        mounter,
        mounts,
        usage,
        devices,
        filesystems,
        DeviceHolders.system());
  }
}
