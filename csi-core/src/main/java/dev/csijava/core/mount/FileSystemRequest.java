package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A file system that is to be mounted, as {@link Mounter#mount} is asked for it. The options may be
 * secret.
 *
 * <p>Not for drivers: what implements {@link Mounter} uses it.
 *
 * @param source a device or whatever the file system takes
 * @param type for example {@code ext4}
 * @param options one an entry
 * @since 0.1.0
 */
public record FileSystemRequest(String source, String type, List<String> options) {
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** These would make mount(8) do something else than mount a file system at the target. */
  private static final Set<String> OTHER_ERRANDS = Set.of("bind", "rbind", "remount", "move");

  /** What can be read back; anything else belongs to the file system or its helper. */
  private static final Set<String> READ_BACK = Set.of("nosuid", "nodev", "noexec", "noatime");

  /**
   * Splits entries that hold several options, and drops empty ones.
   *
   * @throws CsiException INVALID_ARGUMENT for what no mount at a target is, for example {@code
   *     remount}
   * @since 0.1.0
   */
  public FileSystemRequest {
    List<String> single = new ArrayList<>();
    for (String entry : options) {
      single.addAll(Arrays.asList(entry.split(",", -1)));
    }
    single.removeIf(String::isBlank);
    options = List.copyOf(single);
    if (!TYPE.matcher(type).matches()) {
      throw CsiException.invalidArgument("the file system type must be a name such as ext4");
    }
    if (source.isBlank() || source.indexOf('\0') >= 0) {
      throw CsiException.invalidArgument("the source of a mount must not be empty or hold a NUL");
    }
    for (String option : options) {
      if (OTHER_ERRANDS.contains(option)
          || option.startsWith("x-mount.")
          || option.startsWith("X-mount.")
          || option.indexOf('\0') >= 0) {
        throw CsiException.invalidArgument(
            "mount_flags: an option that changes what is mounted or where is not allowed");
      }
    }
  }

  /**
   * Whether {@code ro} is asked for; of several, the last counts.
   *
   * @since 0.1.0
   */
  public boolean readOnly() {
    return options.lastIndexOf("ro") > options.lastIndexOf("rw");
  }

  /**
   * Whether this mount, made before, is of the same file system. Asks the device's node only.
   *
   * @since 0.1.0
   */
  public boolean isShownBy(Mount mount) {
    boolean typeFits =
        mount.fileSystemType().startsWith(type) || mount.fileSystemType().startsWith("fuse");
    return typeFits
        && (withoutSlash(mount.source()).equals(withoutSlash(source)) || isDevice(mount));
  }

  /**
   * How a mount that is there differs from this, in words that finish "the mount is", for example
   * {@code writable}.
   *
   * @param mountOptions what the table shows for the mount
   * @param mountReadOnly whether the mount or its file system refuses writes
   * @since 0.1.0
   */
  public Optional<String> difference(Set<String> mountOptions, boolean mountReadOnly) {
    if (mountReadOnly != readOnly()) {
      return Optional.of(mountReadOnly ? "read-only" : "writable");
    }
    return options.stream()
        .filter(option -> READ_BACK.contains(option) && !mountOptions.contains(option))
        .findFirst()
        .map(option -> "without " + option);
  }

  /** A device has many names; the number is one. Asks devtmpfs only. */
  private boolean isDevice(Mount mount) {
    if (!source.startsWith("/")) {
      return false;
    }
    try {
      Path device = Path.of(source);
      int mode = (Integer) Files.getAttribute(device, "unix:mode");
      long number = (Long) Files.getAttribute(device, "unix:rdev");
      return (mode & 0170000) == 0060000
          && mount.device().equals(major(number) + ":" + minor(number));
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  private static long major(long device) {
    return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
  }

  private static long minor(long device) {
    return (device & 0xff) | ((device >>> 12) & ~0xffL);
  }

  private static String withoutSlash(String name) {
    return name.length() > 1 && name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }

  /** Without the options, which may be secret. */
  @Override
  public String toString() {
    return type + " from " + source;
  }
}
