package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MounterContract;

/** The contract, kept by system calls where the kernel has neither statmount nor open_tree_attr. */
class NativeMounterOnOlderKernelIT extends MounterContract {
  @Override
  protected Mounter newMounter() {
    return new NativeMounter(
        new InTwoCalls(), new TableReader(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  /** Clones as Linux before 6.15 has to. */
  private static final class InTwoCalls extends ForwardingKernel {
    @Override
    public Descriptor cloneOf(Descriptor source, MountOptions options) throws LinuxException {
      return MountKernel.Calls.cloneInTwoCalls(source, options);
    }
  }
}
