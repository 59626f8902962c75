package dev.csijava.testkit.fake;

/** Plays the programs that use the volumes: without mounts nobody else could write. */
final class Workload {
  private Workload() {}

  /** What lies on a volume that was used a little. */
  static void begin(FakeVolume volume, FakeState state) {
    write(volume, state, 0, 3);
    write(volume, state, 8, 1);
    write(volume, state, 40, 20);
    write(volume, state, 200, 2);
  }

  /** What changes between two snapshots: some of it old blocks, some new ones. */
  static void go(FakeVolume volume, FakeState state) {
    write(volume, state, 1, 1);
    write(volume, state, 41, 2);
    write(volume, state, 100 + state.nextWrite() % 50, 2);
  }

  private static void write(FakeVolume volume, FakeState state, long block, long blocks) {
    if ((block + blocks) * BlockMap.BLOCK <= volume.capacity) {
      volume.blocks.write(block * BlockMap.BLOCK, blocks * BlockMap.BLOCK, state.nextWrite());
    }
  }
}
