package dev.csijava.nativeio;

import dev.csijava.core.mount.FileSystemRequest;
import dev.csijava.core.mount.Mount;
import java.util.Optional;
import java.util.Set;

/** A file system on a directory. */
record NativeFileSystem(FileSystemRequest request, NewFileSystem fileSystem)
    implements NativeWanted {
  @Override
  public boolean isDirectory() {
    return true;
  }

  @Override
  public Descriptor detached(MountKernel kernel) throws LinuxException {
    return kernel.newMount(fileSystem);
  }

  @Override
  public boolean isShownAt(Place place, Mount top) {
    return request.isShownBy(top);
  }

  @Override
  public Optional<String> difference(Set<String> options, boolean readOnly) {
    return request.difference(options, readOnly);
  }

  @Override
  public Optional<String> loss(Set<String> options) {
    return Optional.empty();
  }
}
