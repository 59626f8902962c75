package dev.csijava.hostpath.mounts;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers from the kernel's mount table. What a mount shows is named there by its path in its own
 * file system, not in our tree; so our path is first translated through the mount that it lies on,
 * which holds in a container too (rule K4).
 */
public final class KernelMounts implements MountView {
  private static final String DELETED = "//deleted";

  /** What holds device nodes; asking it for one never hangs. */
  private static final Set<String> DEVICE_FILE_SYSTEMS = Set.of("devtmpfs", "tmpfs");

  private final Source source;
  private final LoopFileNames loops;

  /** Reads the table of this process. */
  public KernelMounts() {
    this(MountTable::read, new LoopFileNames());
  }

  KernelMounts(Source source, LoopFileNames loops) {
    this.source = source;
    this.loops = loops;
  }

  /**
   * Reads the table now and never again, for a report of one moment; not for deciding anything.
   *
   * @throws IOException if it can't be read
   */
  public static KernelMounts ofThisMoment() throws IOException {
    MountTable now = MountTable.read();
    return new KernelMounts(() -> now, new LoopFileNames());
  }

  /** Where tables come from. */
  @FunctionalInterface
  interface Source {
    MountTable read() throws IOException;
  }

  @Override
  public List<Mount> atOrBelow(Path path) {
    return table().all().stream().filter(mount -> mount.target().startsWith(path)).toList();
  }

  @Override
  public List<Mount> showing(Path path) {
    MountTable table = table();
    // As in a chroot whose root is no mount: "nobody" would be a guess, and data goes on it.
    Place place =
        place(table, path)
            .orElseThrow(
                () ->
                    CsiException.unavailable(
                        "no mount that this process sees holds "
                            + path
                            + ", so nobody can tell who uses it; make the root of its chroot a"
                            + " mount, as by mount --bind DIRECTORY DIRECTORY",
                        null));
    return table.all().stream().filter(place::isShownBy).toList();
  }

  @Override
  public List<Mount> ofDevice(Path node) {
    MountTable table = table();
    Optional<Place> place = place(table, node);
    return table.all().stream()
        .filter(
            mount -> isOn(node, mount) || place.filter(there -> there.isShownBy(mount)).isPresent())
        .toList();
  }

  @Override
  public boolean isOn(Path node, Mount mount) {
    // The name is the one that this driver mounted it by; the number holds for any other name.
    return mount.source().equals(node.toString())
        || loops.number(node).filter(mount.device()::equals).isPresent();
  }

  @Override
  public Optional<Path> deviceOf(Mount mount) {
    // Where the file system has a number of its own, the name that it was mounted by is all.
    return loops
        .node(mount.device())
        .or(() -> Optional.of(mount.source()).filter(name -> name.startsWith("/")).map(Path::of));
  }

  @Override
  public Optional<Path> shownAt(Path target, Path base) {
    MountTable table = table();
    Optional<Mount> mount = table.at(target);
    return mount
        .flatMap(top -> place(table, base).flatMap(place -> place.inside(top)))
        .map(inside -> inside.isEmpty() ? base : base.resolve(inside))
        .or(
            () ->
                mount.flatMap(top -> loopFile(target, top)).filter(file -> file.startsWith(base)));
  }

  private Optional<Path> loopFile(Path target, Mount mount) {
    boolean isNode =
        DEVICE_FILE_SYSTEMS.contains(mount.fileSystemType()) && !mount.root().equals("/");
    return (isNode ? loops.number(target) : Optional.of(mount.device())).flatMap(loops::file);
  }

  private static Optional<Place> place(MountTable table, Path path) {
    return table
        .containing(path)
        .map(
            mount -> {
              Path rest = mount.target().relativize(path);
              String root = mount.root().equals("/") ? "" : mount.root();
              return new Place(
                  mount.device(), rest.toString().isEmpty() ? root : root + "/" + rest);
            });
  }

  /** A path of a file system, from that file system's own root. */
  private record Place(String device, String path) {
    boolean isShownBy(Mount mount) {
      return inside(mount).isPresent();
    }

    /** What the mount shows of this place, relative to it; empty if it shows something else. */
    Optional<String> inside(Mount mount) {
      String root = mount.root();
      if (root.endsWith(DELETED)) {
        root = root.substring(0, root.length() - DELETED.length());
      }
      if (!mount.device().equals(device)) {
        return Optional.empty();
      }
      if (root.equals(path)) {
        return Optional.of("");
      }
      return root.startsWith(path + "/")
          ? Optional.of(root.substring(path.length() + 1))
          : Optional.empty();
    }
  }

  private MountTable table() {
    try {
      return source.read();
    } catch (IOException e) {
      throw CsiException.unavailable("the mount table of this node can't be read", e);
    }
  }
}
