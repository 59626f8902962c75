package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Binds and unmounts by system calls, in microseconds whatever else is mounted on the node. Both
 * ends are opened first and acted on by descriptor. What needs a helper, and what may hang for
 * longer than a caller waits, is left to the programs, which can be killed.
 *
 * <p>What only this way promises: a new mount has its flags, and is in no peer group of its source,
 * before anybody can see it; and a target whose last component is swapped for a link between our
 * look and our call is not followed.
 */
final class NativeMounter implements Mounter {
  private final Mounter programs;
  private final MountReader reader;
  private final NativeBind bind;
  private final NativeUnmount unmount;

  NativeMounter(MountKernel kernel, MountReader reader, Mounter programs) {
    this.programs = programs;
    this.reader = reader;
    this.unmount = new NativeUnmount(kernel, reader, programs);
    this.bind = new NativeBind(kernel, reader, unmount, programs);
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    bind.bind(source, target, options);
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    programs.mount(source, target, fileSystemType, options);
  }

  @Override
  public void unmount(Path target) {
    unmount.all(target);
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    try (Place place = Place.find(target)) {
      if (place == null || !place.isMountPoint()) {
        return Optional.empty();
      }
      try (Descriptor root = place.open()) {
        FileStatus status = FileStatus.of(root, reader.kindOfId());
        return status.mountRoot()
            ? reader.byId(status.mountId()).map(Mounted::mount)
            : Optional.empty();
      } catch (LinuxException e) {
        // Broken so badly that it can't even be opened as a place: the table still lists it.
        return MountTable.read().at(place.realPath());
      }
    } catch (IOException e) {
      throw CsiException.unavailable("the mount at the path can't be read", e);
    }
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    try (Place to = Place.find(target);
        Place from = Place.find(source)) {
      if (to == null || from == null || !to.isMountPoint()) {
        return false;
      }
      try (Descriptor shown = to.open();
          Descriptor end = from.open()) {
        FileStatus top = FileStatus.of(shown, reader.kindOfId());
        return top.mountRoot() && top.sameFile(FileStatus.of(end, reader.kindOfId()));
      }
    } catch (IOException e) {
      return false;
    }
  }
}
