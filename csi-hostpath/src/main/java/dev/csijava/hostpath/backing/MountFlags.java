package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemType;
import dev.csijava.core.mount.MountOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Tells the mount flags of a capability apart: what each mount keeps by itself, and what the file
 * system of an image keeps. What is neither is refused, never dropped (rule K11).
 */
final class MountFlags {
  private static final Pattern SHAPE = Pattern.compile("[a-z0-9_]+(=[A-Za-z0-9_.-]+)?");

  private static final Set<String> BOTH =
      Set.of(
          "relatime",
          "strictatime",
          "nodiratime",
          "lazytime",
          "nolazytime",
          "sync",
          "async",
          "dirsync",
          "discard",
          "nodiscard");

  private static final Set<String> EXT4 =
      Set.of(
          "acl",
          "noacl",
          "user_xattr",
          "barrier",
          "nobarrier",
          "data",
          "commit",
          "errors",
          "delalloc",
          "nodelalloc",
          "auto_da_alloc",
          "noauto_da_alloc",
          "journal_checksum",
          "stripe",
          "max_batch_time",
          "min_batch_time",
          "init_itable",
          "noinit_itable",
          "dioread_nolock",
          "dioread_lock");

  private static final Set<String> XFS =
      Set.of(
          "allocsize",
          "attr2",
          "inode64",
          "inode32",
          "largeio",
          "nolargeio",
          "logbufs",
          "logbsize",
          "noalign",
          "noquota",
          "swalloc",
          "sunit",
          "swidth");

  private MountFlags() {}

  /**
   * @throws CsiException INVALID_ARGUMENT for a flag that can't be kept
   */
  static NodeAccess ofDirectory(List<String> flags) {
    return new NodeAccess(MountOptions.parse(flags), List.of());
  }

  /**
   * @throws CsiException INVALID_ARGUMENT for a flag that can't be kept
   */
  static NodeAccess ofImage(List<String> flags, FileSystemType type) {
    List<String> perMount = new ArrayList<>();
    List<String> fileSystem = new ArrayList<>();
    for (String entry : flags) {
      for (String flag : entry.split(",", -1)) {
        (isOf(type, flag.strip()) ? fileSystem : perMount).add(flag.strip());
      }
    }
    try {
      // Refuses what it does not know.
      return new NodeAccess(MountOptions.parse(perMount), fileSystem);
    } catch (CsiException e) {
      // That one speaks of binds, and would let an operator take out what is well.
      throw CsiException.invalidArgument(
          "mount_flags: an image with "
              + type.typeName()
              + " can't keep one of these; docs/hostpath.md lists those it can");
    }
  }

  /** What the file system of an image keeps, sorted; beside it there is what each mount keeps. */
  static Set<String> ofFileSystem(FileSystemType type) {
    Set<String> names = new TreeSet<>(BOTH);
    names.addAll(type == FileSystemType.EXT4 ? EXT4 : XFS);
    return names;
  }

  private static boolean isOf(FileSystemType type, String flag) {
    String name = flag.contains("=") ? flag.substring(0, flag.indexOf('=')) : flag;
    return SHAPE.matcher(flag).matches() && ofFileSystem(type).contains(name);
  }
}
