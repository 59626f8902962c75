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

/** A file system on a directory, mounted by mount(8) and the helper that it may call. */
record WantedFileSystem(String source, String type, List<String> options) implements Wanted {
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** These would make mount(8) do something else than mount a file system at the target. */
  private static final Set<String> OTHER_ERRANDS = Set.of("bind", "rbind", "remount", "move");

  /** What can be read back; anything else belongs to the file system or its helper. */
  private static final Set<String> READ_BACK = Set.of("nosuid", "nodev", "noexec", "noatime");

  WantedFileSystem {
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

  @Override
  public FileIdentity.Kind kind() {
    return FileIdentity.Kind.DIRECTORY;
  }

  @Override
  public ProgramCommand command(Path target) {
    ProgramCommand mount = ProgramCommand.of("mount", "-n", "-c", "--make-private", "-t", type);
    if (!readOnly()) {
      // Or mount(8) would try read-only by itself where the device refuses writes.
      mount = mount.with("-w");
    }
    if (!options.isEmpty()) {
      mount = mount.with("-o").withSecret(String.join(",", options));
    }
    return mount.with("--", source, RawPaths.argument(target));
  }

  @Override
  public boolean isShownBy(Mount mount, Path target) {
    boolean typeFits =
        mount.fileSystemType().startsWith(type) || mount.fileSystemType().startsWith("fuse");
    return typeFits
        && (withoutSlash(mount.source()).equals(withoutSlash(source)) || isDevice(mount));
  }

  /** Helpers rename source and type as they like: what came during the call is taken for ours. */
  @Override
  public boolean cameAs(Mount mount, Path target) {
    return true;
  }

  @Override
  public Optional<String> difference(Mount mount) {
    if (mount.readOnly() != readOnly()) {
      return Optional.of(mount.readOnly() ? "read-only" : "writable");
    }
    return options.stream()
        .filter(option -> READ_BACK.contains(option) && !mount.options().contains(option))
        .findFirst()
        .map(option -> "without " + option);
  }

  @Override
  public Optional<String> loss(Mount mount) {
    return Optional.empty();
  }

  private boolean readOnly() {
    return options.lastIndexOf("ro") > options.lastIndexOf("rw");
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

  /** The options may be secret. */
  @Override
  public String toString() {
    return type + " from " + source;
  }
}
