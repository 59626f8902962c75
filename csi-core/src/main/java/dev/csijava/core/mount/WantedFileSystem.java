package dev.csijava.core.mount;

import java.nio.file.Path;
import java.util.Optional;

/** A file system on a directory, mounted by mount(8) and the helper that it may call. */
record WantedFileSystem(FileSystemRequest request) implements Wanted {
  @Override
  public FileIdentity.Kind kind() {
    return FileIdentity.Kind.DIRECTORY;
  }

  @Override
  public ProgramCommand command(Path target) {
    ProgramCommand mount =
        ProgramCommand.of("mount", "-n", "-c", "--make-private", "-t", request.type());
    if (!request.readOnly()) {
      // Or mount(8) would try read-only by itself where the device refuses writes.
      mount = mount.with("-w");
    }
    if (!request.options().isEmpty()) {
      mount = mount.with("-o").withSecret(String.join(",", request.options()));
    }
    return mount.with("--", request.source(), RawPaths.argument(target));
  }

  @Override
  public boolean isShownBy(Mount mount, Path target) {
    return request.isShownBy(mount);
  }

  /** Helpers rename source and type as they like: what came during the call is taken for ours. */
  @Override
  public boolean cameAs(Mount mount, Path target) {
    return true;
  }

  @Override
  public Optional<String> difference(Mount mount) {
    return request.difference(mount.options(), mount.readOnly());
  }

  @Override
  public Optional<String> loss(Mount mount) {
    return Optional.empty();
  }
}
