package dev.csijava.hostpath.node;

/** A monitor a volume, out of a fixed number: two volumes may share one, which only costs time. */
final class VolumeLocks {
  private static final int COUNT = 64;

  private final Object[] monitors = new Object[COUNT];

  VolumeLocks() {
    for (int i = 0; i < COUNT; i++) {
      monitors[i] = new Object();
    }
  }

  Object of(String volumeId) {
    return monitors[Math.floorMod(volumeId.hashCode(), COUNT)];
  }
}
