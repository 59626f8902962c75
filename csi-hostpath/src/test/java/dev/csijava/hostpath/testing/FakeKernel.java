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

/**
 * A mount table without a kernel: one mount a path, known by what it shows, which is a path, or the
 * file system on a device whose node is a path.
 */
public final class FakeKernel implements Mounter, MountView {
  private final Map<Path, Shown> table = new ConcurrentHashMap<>();
  private final Map<Path, Path> files = new ConcurrentHashMap<>();
  private volatile boolean failing;
  private volatile List<String> mountOptions = List.of();

  private record Shown(Path path, boolean device, boolean readOnly) {}

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
    table.put(target, new Shown(Path.of("/somewhere/else"), false, false));
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
    if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)
        || !Files.exists(target, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(source) != Files.isDirectory(target)) {
      throw CsiException.failedPrecondition("source and target are not of the same type");
    }
    Shown inherited = table.get(source);
    boolean readOnly = options.readOnly() || (inherited != null && inherited.readOnly());
    show(
        target,
        inherited == null
            ? new Shown(source, false, readOnly)
            : new Shown(inherited.path(), inherited.device(), readOnly));
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    if (failing) {
      throw CsiException.internal("mount(8) failed", null);
    }
    mountOptions = List.copyOf(options);
    show(target, new Shown(Path.of(source), true, options.contains("ro")));
  }

  private void show(Path target, Shown wanted) {
    Shown there = table.putIfAbsent(target, wanted);
    if (there != null && !there.equals(wanted)) {
      throw CsiException.alreadyExists("something else is mounted at the target");
    }
  }

  /** Tells that a node is the loop device of a file. */
  void attached(Path node, Path file) {
    files.put(node, file);
  }

  /** The options of the last mount of a device. */
  public List<String> mountOptions() {
    return mountOptions;
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
    return shown != null && !shown.device() && shown.path().equals(source);
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
  public List<Mount> ofDevice(Path node) {
    return showing(node);
  }

  @Override
  public Optional<Path> deviceOf(Mount mount) {
    return Optional.of(Path.of(mount.source()));
  }

  @Override
  public boolean isOn(Path node, Mount mount) {
    return mount.source().equals(node.toString());
  }

  @Override
  public Optional<Path> shownAt(Path target, Path base) {
    return Optional.ofNullable(table.get(target))
        .map(Shown::path)
        .map(path -> files.getOrDefault(path, path))
        .filter(path -> path.getFileSystem().equals(base.getFileSystem()))
        .filter(path -> path.startsWith(base));
  }

  private static Mount mount(Path target, Shown shown) {
    return new Mount(
        1,
        0,
        shown.device() ? "7:1" : "8:1",
        shown.device() ? "/" : shown.path().toString(),
        target,
        shown.readOnly() ? Set.of("ro") : Set.of("rw"),
        "ext4",
        shown.device() ? shown.path().toString() : "/dev/sda1",
        Set.of("rw"));
  }
}
