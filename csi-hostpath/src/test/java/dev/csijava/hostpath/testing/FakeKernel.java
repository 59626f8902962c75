package dev.csijava.hostpath.testing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.mounts.MountView;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A mount table of bind mounts without a kernel: one mount a path, known by what it shows. */
public final class FakeKernel implements Mounter, MountView {
  private final Map<Path, Shown> table = new ConcurrentHashMap<>();
  private volatile boolean failing;

  private record Shown(Path path, boolean readOnly) {}

  /** Lets the next mounts fail without leaving anything. */
  public void failMounts(boolean fail) {
    failing = fail;
  }

  /** Takes a mount away behind the driver's back, as a reboot does. */
  public void lose(Path target) {
    table.remove(target);
  }

  /** Mounts something behind the driver's back. */
  public void mountForeign(Path target) {
    table.put(target, new Shown(Path.of("/somewhere/else"), false));
  }

  /** All mount points. */
  public Set<Path> targets() {
    return Set.copyOf(table.keySet());
  }

  /** Whether the mount at a target refuses writes. */
  public boolean isReadOnly(Path target) {
    Shown shown = table.get(target);
    return shown != null && shown.readOnly();
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    if (failing) {
      throw CsiException.internal("mount(8) failed", null);
    }
    if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)
        || !Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      throw CsiException.failedPrecondition("source or target is no directory");
    }
    Shown inherited = table.get(source);
    Path path = inherited == null ? source : inherited.path();
    boolean readOnly = options.readOnly() || (inherited != null && inherited.readOnly());
    Shown there = table.putIfAbsent(target, new Shown(path, readOnly));
    if (there != null && !there.equals(new Shown(path, readOnly))) {
      throw CsiException.alreadyExists("something else is mounted at the target");
    }
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    throw CsiException.internal("only binds are known here", null);
  }

  @Override
  public void unmount(Path target) {
    table.remove(target);
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    return Optional.ofNullable(table.get(target)).map(shown -> mount(target, shown));
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    Shown shown = table.get(target);
    return shown != null && shown.path().equals(source);
  }

  @Override
  public List<Mount> atOrBelow(Path path) {
    return table.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(path))
        .map(entry -> mount(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public List<Mount> showing(Path path) {
    return table.entrySet().stream()
        .filter(entry -> entry.getValue().path().startsWith(path))
        .map(entry -> mount(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public Optional<Path> shownAt(Path target, Path base) {
    return Optional.ofNullable(table.get(target))
        .map(Shown::path)
        .filter(path -> path.getFileSystem().equals(base.getFileSystem()))
        .filter(path -> path.startsWith(base));
  }

  private static Mount mount(Path target, Shown shown) {
    return new Mount(
        1,
        0,
        "8:1",
        shown.path().toString(),
        target,
        shown.readOnly() ? Set.of("ro") : Set.of("rw"),
        "ext4",
        "/dev/sda1",
        Set.of("rw"));
  }
}
