package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is mounted, at one moment, as this process sees it. Names are compared byte by
 * byte and links are not followed: hand in paths whose parent is resolved, as {@link
 * Path#toRealPath} does. Nothing here touches a mounted file system, so a dead one does not hang it
 * (rule K6).
 *
 * <p>Immutable. Reading costs 2 to 4 microseconds a mount, most of it in the kernel, and the kernel
 * hands a long table out in pieces, so what comes and goes meanwhile may be missed. A long one is
 * read until the numbers of all mounts are the same before and after (Linux 6.8 with csi-native),
 * else until two reads agree.
 *
 * @since 0.1.0
 */
public final class MountTable {
  private static final Path MOUNTINFO = Path.of("/proc/self/mountinfo");
  private static final int TRIES = 5;

  /** What the kernel hands out in one piece, hence from one moment: less than its page. */
  private static final int ONE_PIECE_BYTES = 4095;

  private final List<Mount> mounts;
  private final Set<Long> shared;

  /** Numbers all mounts; empty where that can't be done. */
  @FunctionalInterface
  interface Census {
    Census NONE = () -> new long[0];

    long[] numbers() throws IOException;
  }

  MountTable(List<Mount> mounts, Set<Long> shared) {
    this.mounts = List.copyOf(mounts);
    this.shared = Set.copyOf(shared);
  }

  /**
   * The table of this process's mount namespace, now.
   *
   * @throws IOException if the kernel does not show it, for example because {@code /proc} is not
   *     mounted
   * @since 0.1.0
   */
  public static MountTable read() throws IOException {
    return read(MOUNTINFO, SystemMounts.get().census());
  }

  /**
   * The table in a file of the same format, such as {@code /proc/PID/mountinfo}. Lines that can't
   * be understood are left out.
   *
   * @param mountinfo the file; mount points become paths of its file system
   * @throws IOException if it can't be read
   * @since 0.1.0
   */
  public static MountTable read(Path mountinfo) throws IOException {
    return read(mountinfo, Census.NONE);
  }

  static MountTable read(Path mountinfo, Census census) throws IOException {
    long[] before = census.numbers();
    byte[] text = bytesOf(mountinfo);
    for (int i = 1; i < TRIES && text.length > ONE_PIECE_BYTES; i++) {
      long[] after = census.numbers();
      if (after.length > 0 && Arrays.equals(before, after)) {
        break;
      }
      byte[] again = bytesOf(mountinfo);
      if (after.length == 0 && Arrays.equals(text, again)) {
        break;
      }
      // Where others mount all the time, the last reading counts: since Linux 5.8 a reader does not
      // lose the mounts that were there from its first to its last byte.
      before = after;
      text = again;
    }
    return MountInfoParser.parse(text, mountinfo.getFileSystem());
  }

  static MountTable parse(byte[] mountinfo, FileSystem fileSystem) {
    return MountInfoParser.parse(mountinfo, fileSystem);
  }

  /** Files.newInputStream, since it is the one that an interrupted thread can use too. */
  private static byte[] bytesOf(Path mountinfo) throws IOException {
    byte[] text = new byte[2 * (ONE_PIECE_BYTES + 1)];
    int length = 0;
    try (InputStream in = Files.newInputStream(mountinfo)) {
      for (int n = in.read(text); n >= 0; n = in.read(text, length, text.length - length)) {
        length += n;
        if (length == text.length) {
          text = Arrays.copyOf(text, 2 * length);
        }
      }
    }
    return Arrays.copyOf(text, length);
  }

  /**
   * Every mount in the kernel's order, which usually is that of mounting.
   *
   * @return an immutable list
   * @since 0.1.0
   */
  public List<Mount> all() {
    return mounts;
  }

  /**
   * The mount whose root is seen at exactly this path: the topmost of several, and none that
   * another mount further up the tree hides.
   *
   * @param path absolute and normalised
   * @since 0.1.0
   */
  public Optional<Mount> at(Path path) {
    List<Mount> stack = stackAt(path);
    return stack.isEmpty() ? Optional.empty() : Optional.of(stack.get(stack.size() - 1));
  }

  /**
   * The mounts that lie one upon the other at exactly this path, the topmost last. Unmounting the
   * path takes away the last.
   *
   * @param path absolute and normalised
   * @return an immutable list, empty if the path is no mount point
   * @since 0.1.0
   */
  public List<Mount> stackAt(Path path) {
    return wayTo(path).stream().filter(mount -> mount.target().equals(path)).toList();
  }

  /**
   * The mount that a file at this path lies on, be it the root of the mount or deep in it.
   *
   * @param path absolute and normalised; need not exist
   * @since 0.1.0
   */
  public Optional<Mount> containing(Path path) {
    List<Mount> way = wayTo(path);
    return way.isEmpty() ? Optional.empty() : Optional.of(way.get(way.size() - 1));
  }

  /**
   * Every mount strictly below this path, hidden ones too: while there is one, nothing below the
   * path may be deleted recursively (rule K1).
   *
   * @param path absolute and normalised
   * @return an immutable list in the kernel's order
   * @since 0.1.0
   */
  public List<Mount> below(Path path) {
    return mounts.stream()
        .filter(mount -> mount.target().startsWith(path) && !mount.target().equals(path))
        .toList();
  }

  /**
   * The other mounts that show the same as this one or a part of it, wherever they are: who still
   * uses a volume that is to be unstaged.
   *
   * @param mount a mount of this table
   * @return an immutable list in the kernel's order
   * @since 0.1.0
   */
  public List<Mount> sharing(Mount mount) {
    String inside = mount.root().endsWith("/") ? mount.root() : mount.root() + "/";
    return mounts.stream()
        .filter(
            other ->
                other.id() != mount.id()
                    && other.device().equals(mount.device())
                    && (other.root().equals(mount.root()) || other.root().startsWith(inside)))
        .toList();
  }

  /**
   * Whether a mount or unmount inside this one is repeated in others, because it is in a peer
   * group.
   *
   * @param mount a mount of this table
   * @since 0.1.0
   */
  public boolean isShared(Mount mount) {
    return shared.contains(mount.id());
  }

  /**
   * Refuses to call a path unmounted while a mount at it is hidden by one further up the tree: it
   * can't be reached, and holds its device or directory as before (rule K5).
   *
   * @param path absolute and normalised
   * @throws CsiException FAILED_PRECONDITION, naming what hides it
   * @since 0.1.0
   */
  public void requireNothingHidden(Path path) {
    if (!hiddenAt(path).isEmpty()) {
      throw CsiException.failedPrecondition(
          "a mount at the path is hidden by one further up the tree and can't be reached: "
              + containing(path).map(mount -> mount.target().toString()).orElse("unknown"));
    }
  }

  /** Listed at this path, but not to be reached by it since something covers it. */
  List<Mount> hiddenAt(Path path) {
    Set<Mount> seen = new HashSet<>(wayTo(path));
    return mounts.stream()
        .filter(mount -> mount.target().equals(path) && !seen.contains(mount))
        .toList();
  }

  /**
   * The mounts that a walk to the path crosses, in that order: from each one on to that of its
   * children which comes first on the way, which is how the kernel walks.
   */
  private List<Mount> wayTo(Path path) {
    List<Mount> candidates = new ArrayList<>();
    for (Mount mount : mounts) {
      if (path.startsWith(mount.target())) {
        candidates.add(mount);
      }
    }
    List<Mount> way = new ArrayList<>();
    Mount next = first(candidates);
    while (next != null && way.size() < candidates.size()) {
      way.add(next);
      next = nearestChild(candidates, next.id());
    }
    return way;
  }

  /** In a chroot the mount of the root itself is not listed: then what lies on it comes first. */
  private @Nullable Mount first(List<Mount> candidates) {
    Set<Long> listed = new HashSet<>();
    for (Mount mount : candidates) {
      listed.add(mount.id());
    }
    Mount first = null;
    for (Mount mount : candidates) {
      boolean bottom = mount.parentId() == mount.id() || !listed.contains(mount.parentId());
      if (bottom && (first == null || depth(mount) < depth(first))) {
        first = mount;
      }
    }
    return first;
  }

  private static @Nullable Mount nearestChild(List<Mount> candidates, long parent) {
    Mount nearest = null;
    for (Mount mount : candidates) {
      if (mount.parentId() == parent
          && mount.id() != parent
          && (nearest == null || depth(mount) < depth(nearest))) {
        nearest = mount;
      }
    }
    return nearest;
  }

  private static int depth(Mount mount) {
    return mount.target().getNameCount();
  }
}
