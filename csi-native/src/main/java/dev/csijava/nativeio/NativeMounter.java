package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemRequest;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.RawPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Mounts and unmounts by system calls, in microseconds whatever else is mounted on the node. Both
 * ends are opened first and acted on by descriptor. What needs a helper, what only mount(8)
 * understands, and what may hang for longer than a caller waits is left to the programs, which can
 * be killed.
 *
 * <p>What only this way promises: a new mount has its flags, and is in no peer group of its source,
 * before anybody can see it; and a target whose last component is swapped for a link between our
 * look and our call is not followed.
 */
final class NativeMounter implements Mounter {
  private final Mounter programs;
  private final MountReader reader;
  private final LocalFileSystems local;
  private final Establishment mounts;
  private final NativeUnmount unmount;

  NativeMounter(MountKernel kernel, MountReader reader, Mounter programs) {
    this(kernel, reader, LocalFileSystems.system(), programs);
  }

  NativeMounter(MountKernel kernel, MountReader reader, LocalFileSystems local, Mounter programs) {
    this.programs = programs;
    this.reader = reader;
    this.local = local;
    this.unmount = new NativeUnmount(kernel, reader, programs);
    this.mounts = new Establishment(kernel, reader, unmount);
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    mounts.orElse(
        () -> {
          try (NativeBind wanted = NativeBind.open(source, options, reader)) {
            mounts.bringAbout(wanted, target);
          }
        },
        () -> programs.bind(source, target, options));
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    FileSystemRequest request = new FileSystemRequest(source, fileSystemType, options);
    NewFileSystem plan = local.plan(request).orElse(null);
    Runnable byPrograms = () -> programs.mount(source, target, fileSystemType, options);
    if (plan == null) {
      byPrograms.run();
    } else {
      mounts.orElse(
          () -> mounts.bringAbout(new NativeFileSystem(request, plan), target), byPrograms);
    }
  }

  @Override
  public void unmount(Path target) {
    unmount.all(target);
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    try (Place place = Place.find(target)) {
      if (place == null) {
        return Optional.empty();
      }
      try {
        FileStatus status = place.look(reader.kindOfId());
        return status != null && status.mountRoot()
            ? reader.byId(status.mountId()).map(Mounted::mount)
            : Optional.empty();
      } catch (LinuxException e) {
        // Broken so badly that it can't even be opened as a place: the table still lists it.
        return place.isMountPoint()
            ? MountTable.read().at(RawPaths.of(place.realPath()))
            : Optional.empty();
      }
    } catch (IOException e) {
      throw CsiException.unavailable("the mount at the path can't be read", e);
    }
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    try (Place to = Place.find(target);
        Place from = Place.find(source)) {
      FileStatus top = to == null ? null : to.look(reader.kindOfId());
      FileStatus end = from == null ? null : from.look(reader.kindOfId());
      return top != null && end != null && top.mountRoot() && top.sameFile(end);
    } catch (IOException e) {
      return false;
    }
  }
}
