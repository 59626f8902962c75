package dev.csijava.hostpath.admin;

import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.copy.Copiers;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.mounts.MountView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;

/** What the commands need of the machine; tests put their own in its place. */
record AdminMachine(
    Disk disk,
    MountView mounts,
    SameMount sameMount,
    LoopDevices loops,
    TreeCopier trees,
    FileCopier files,
    Unpacker unpacker,
    Clock clock) {
  /** Whether rename(2) can move something from one directory to another. */
  @FunctionalInterface
  interface SameMount {
    boolean is(Path one, Path other) throws IOException;
  }

  static AdminMachine real() {
    Copiers copiers = Copiers.system();
    return new AdminMachine(
        new LocalDisk(),
        new KernelMounts(),
        AdminMachine::liesOnOneMount,
        LoopDevices.system(),
        copiers.tree(),
        copiers.file(),
        new TarUnpacker(),
        Clock.systemUTC());
  }

  /** The same, with the mounts of this moment, which are read once however much is asked. */
  static AdminMachine forReport() throws IOException {
    AdminMachine real = real();
    return new AdminMachine(
        real.disk,
        KernelMounts.ofThisMoment(),
        real.sameMount,
        real.loops,
        real.trees,
        real.files,
        real.unpacker,
        real.clock);
  }

  // Two bind mounts of one file system are two mounts, and a rename from one to the other fails.
  private static boolean liesOnOneMount(Path one, Path other) throws IOException {
    MountTable table = MountTable.read();
    return table.containing(one).equals(table.containing(other));
  }
}
