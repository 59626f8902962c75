package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A directory or file at a second place.
 *
 * @param origin what lies there, opened
 * @param status of what lies there
 * @param below the options of the mount that it lies on
 */
record NativeBind(
    Descriptor origin,
    FileStatus status,
    Set<String> below,
    MountOptions options,
    MountReader reader)
    implements NativeWanted, AutoCloseable {
  /** Opens the source; a link is not followed. */
  static NativeBind open(Path source, MountOptions options, MountReader reader) throws IOException {
    Place.requireUsable(source);
    Descriptor origin = open(source);
    try {
      FileStatus status = Establishment.statusOf(origin, reader, "source");
      Set<String> below =
          reader
              .facts(status.mountId())
              .map(MountFacts::options)
              .orElseThrow(() -> CsiException.unavailable("the source was unmounted", null));
      return new NativeBind(origin, status, below, options, reader);
    } catch (IOException | CsiException e) {
      origin.close();
      throw e;
    }
  }

  private static Descriptor open(Path source) throws LinuxException {
    try {
      return Descriptor.open(source, Descriptor.PATH | Architecture.running().noFollow());
    } catch (LinuxException e) {
      if (e.refused()) {
        throw e;
      }
      throw Establishment.missing("source", e);
    }
  }

  @Override
  public boolean isDirectory() {
    return status.isDirectory();
  }

  @Override
  public Descriptor detached(MountKernel kernel) throws LinuxException {
    return kernel.cloneOf(origin, options);
  }

  @Override
  public boolean isShownAt(Place place, Mount top) throws LinuxException {
    FileStatus shown = place.look(reader.kindOfId());
    return shown != null && shown.mountRoot() && shown.sameFile(status);
  }

  @Override
  public Optional<String> difference(Set<String> mount, boolean readOnly) {
    return options.difference(mount, below);
  }

  @Override
  public Optional<String> loss(Set<String> mount) {
    return MountOptions.loss(mount, below);
  }

  @Override
  public void close() {
    origin.close();
  }
}
