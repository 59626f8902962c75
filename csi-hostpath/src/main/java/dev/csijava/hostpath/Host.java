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
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** What the driver needs of the machine; tests put their own in its place. */
record Host(
    Disk disk,
    Mounter mounter,
    MountView mounts,
    UsageReader usage,
    TreeCopier copier,
    FileCopier fileCopier,
    LoopDevices loops,
    Filesystems filesystems,
    Steps steps,
    Clock clock) {
  /** A large file system takes its time to be checked, and callers join what is under way. */
  private static final Duration FILE_SYSTEM_DEADLINE = Duration.ofMinutes(30);

  private static final int MOST_FORMATTED_AT_ONCE = 2;

  /**
   * @param stateDirectory whose loop devices this process attaches and sweeps
   */
  static Host real(Path stateDirectory) {
    Copiers copiers = Copiers.system();
    return new Host(
        new LocalDisk(),
        Mounter.system(),
        new KernelMounts(),
        UsageReader.system(),
        copiers.tree(),
        copiers.file(),
        LoopDevices.system(tag(stateDirectory)),
        Filesystems.byPrograms(FILE_SYSTEM_DEADLINE, MOST_FORMATTED_AT_ONCE),
        Steps.NONE,
        Clock.systemUTC());
  }

  /** Another one for each state directory: a driver sweeps only what it attached itself. */
  private static String tag(Path stateDirectory) {
    return "csi-hostpath:"
        + KubeletPaths.volumeHandleHash(stateDirectory.toString()).substring(0, 16);
  }

  Backings.Machine machine() {
    return new Backings.Machine(
        disk,
        copier,
        fileCopier,
        mounter,
        mounts,
        usage,
        loops,
        filesystems,
        DeviceHolders.system());
  }
}
