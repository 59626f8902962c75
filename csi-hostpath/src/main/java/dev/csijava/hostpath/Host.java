package dev.csijava.hostpath;

import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.copy.ProgramTreeCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.mounts.MountView;
import java.time.Clock;

/** What the driver needs of the machine; tests put their own in its place. */
record Host(
    Disk disk,
    Mounter mounter,
    MountView mounts,
    UsageReader usage,
    TreeCopier copier,
    Steps steps,
    Clock clock) {
  static Host real() {
    return new Host(
        new LocalDisk(),
        Mounter.system(),
        new KernelMounts(),
        UsageReader.system(),
        new ProgramTreeCopier(),
        Steps.NONE,
        Clock.systemUTC());
  }
}
