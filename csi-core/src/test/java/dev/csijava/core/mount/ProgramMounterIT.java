package dev.csijava.core.mount;

import java.time.Duration;

/** The contract, kept by mount(8) and umount(8). */
class ProgramMounterIT extends MounterContract {
  @Override
  protected Mounter newMounter() {
    return Mounter.byPrograms(Duration.ofSeconds(60));
  }
}
