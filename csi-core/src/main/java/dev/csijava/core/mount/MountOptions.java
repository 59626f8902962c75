package dev.csijava.core.mount;

import java.util.Collection;
import java.util.EnumSet;
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
    NOATIME
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
