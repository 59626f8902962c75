package dev.csijava.nativeio;

import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MounterContract;

/** The contract, kept by system calls where the kernel has no statmount. */
class NativeMounterOnOlderKernelIT extends MounterContract {
  @Override
  protected Mounter newMounter() {
    return new NativeMounter(
        MountKernel.system(), new TableReader(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }
}
