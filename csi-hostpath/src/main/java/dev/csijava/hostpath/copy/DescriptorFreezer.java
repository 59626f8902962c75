package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileSystemFreeze;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.OpenDirectory;
import java.io.IOException;
import java.nio.file.Path;

/** Freezes by system call, through a descriptor that stays open. */
final class DescriptorFreezer implements Freezer {
  @Override
  public MountedFileSystem open(Path mountPoint) throws IOException {
    return new Opened(OpenDirectory.at(mountPoint));
  }

  private record Opened(OpenDirectory root) implements MountedFileSystem {
    @Override
    public String device() throws IOException {
      return root.status().fileSystem().toString();
    }

    @Override
    public Outcome freeze() throws IOException {
      try {
        return FileSystemFreeze.freeze(root) ? Outcome.FROZEN : Outcome.FROZEN_BEFORE;
      } catch (LinuxException e) {
        if (e.is(Errno.EOPNOTSUPP, Errno.EPERM, Errno.ENOTTY)) {
          return Outcome.REFUSED;
        }
        throw e;
      }
    }

    @Override
    public void thaw() throws IOException {
      boolean _ = FileSystemFreeze.thaw(root);
    }

    @Override
    public void close() {
      root.close();
    }
  }
}
