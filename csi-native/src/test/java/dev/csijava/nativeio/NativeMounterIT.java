package dev.csijava.nativeio;

import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MounterContract;

/** The contract, kept by system calls. */
class NativeMounterIT extends MounterContract {
  @Override
  protected Mounter newMounter() {
    return new NativeMounter(
        MountKernel.system(), MountReader.system(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }
}
