package dev.csijava.core.mount;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The per-mount options of a bind mount, as the kernel keeps them for one mount and not for the
 * file system below it.
 *
 * @param flags what is set; what is not in here is taken from the mount of the source
 * @since 0.1.0
 */
public record MountOptions(Set<Flag> flags) {
  /**
   * What a remount takes away unless it is asked for again; a bind without options inherits it. The
   * access time mode beside noatime is kept by the kernel.
   */
  static final Set<String> INHERITED =
      Set.of("ro", "nosuid", "nodev", "noexec", "noatime", "nodiratime", "nosymfollow");

  /**
   * No option at all.
   *
   * @since 0.1.0
   */
  public static final MountOptions NONE = new MountOptions(Set.of());

  /**
   * One option, named as mount(8) names it.
   *
   * @since 0.1.0
   */
  public enum Flag {
    /** No writes through this mount. */
    RO,
    /** Set-user-id and set-group-id bits have no effect. */
    NOSUID,
    /** Device nodes can't be opened. */
    NODEV,
    /** Programs can't be run. */
    NOEXEC,
    /** Reading does not change access times. */
    NOATIME;

    /**
     * As mount(8) and the kernel's table name it, for example {@code noexec}.
     *
     * @since 0.1.0
     */
    public String option() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Copies the flags.
   *
   * @since 0.1.0
   */
  public MountOptions {
    flags = Set.copyOf(flags);
  }

  /**
   * Exactly these flags.
   *
   * @since 0.1.0
   */
  public static MountOptions of(Flag... flags) {
    return new MountOptions(Set.of(flags));
  }

  /**
   * Reads options as a volume capability's {@code mount_flags} hold them, each entry one option or
   * several with commas between, for example {@code noexec,nodev}. {@code rw}, {@code suid} and the
   * other defaults are accepted and mean nothing.
   *
   * @throws dev.csijava.core.CsiException INVALID_ARGUMENT for an option that a bind mount can't
   *     keep
   * @since 0.1.0
   */
  public static MountOptions parse(Collection<String> mountFlags) {
    return MountFlagParser.parse(mountFlags);
  }

  /**
   * Whether writes are refused.
   *
   * @since 0.1.0
   */
  public boolean readOnly() {
    return flags.contains(Flag.RO);
  }

  /**
   * How a bind mount that is there differs from what these options ask for, in words that finish
   * "the mount is", for example {@code writable}. What the source's mount restricts by itself is no
   * difference.
   *
   * @param mount the mount to judge
   * @param below the mount that the source lies on
   * @since 0.1.0
   */
  public Optional<String> difference(Mount mount, Mount below) {
    return difference(mount.options(), below.options());
  }

  /**
   * The same by what the table shows as the options of both mounts.
   *
   * @since 0.1.0
   */
  public Optional<String> difference(Set<String> mount, Set<String> below) {
    boolean isReadOnly = mount.contains("ro");
    if (isReadOnly && !readOnly() && !below.contains("ro")) {
      return Optional.of("read-only");
    }
    if (readOnly() && !isReadOnly) {
      return Optional.of("writable");
    }
    return flags.stream()
        .map(Flag::option)
        .filter(name -> !mount.contains(name))
        .sorted()
        .findFirst()
        .map(name -> "without " + name);
  }

  /**
   * What a new bind mount lost of the restrictions of its source's mount, in the same words.
   *
   * @param mount the options of the new mount, as the table shows them
   * @param below those of the mount that the source lies on
   * @since 0.1.0
   */
  public static Optional<String> loss(Set<String> mount, Set<String> below) {
    return INHERITED.stream()
        .filter(name -> below.contains(name) && !mount.contains(name))
        .sorted()
        .findFirst()
        .map(name -> "without the source's " + name);
  }

  /**
   * The same with {@link Flag#RO} added.
   *
   * @since 0.1.0
   */
  public MountOptions withReadOnly() {
    EnumSet<Flag> more = EnumSet.of(Flag.RO);
    more.addAll(flags);
    return new MountOptions(more);
  }
}
