package dev.csijava.core.mount;

/** The contract, kept by mount(8). */
class ProgramFileSystemMountIT extends FileSystemMountContract {
  @Override
  protected Mounter newMounter() {
    return Mounter.byPrograms(Mounter.DEFAULT_DEADLINE);
  }
}
