package dev.csijava.core.mount;

import java.time.Duration;

/** The contract, kept by losetup(8). */
class ProgramLoopDevicesIT extends LoopDevicesContract {
  @Override
  protected LoopDevices newLoopDevices() {
    return LoopDevices.byPrograms(Duration.ofSeconds(60));
  }
}
