package dev.csijava.nativeio;

import dev.csijava.core.mount.MountWalkContract;
import dev.csijava.core.mount.Mounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walk by system calls. */
class NativeMountWalkIT extends MountWalkContract {
  @Override
  protected Mounter newMounter() {
    return new NativeMounter(
        MountKernel.system(), MountReader.system(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  @Override
  protected int steps() {
    return 2_000;
  }

  @Test
  @Tag("exhaustive")
  void aLongRandomWalkAgreesWithTheModel() throws Exception {
    walk(100_000);
  }
}
