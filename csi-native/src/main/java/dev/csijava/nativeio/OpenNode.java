package dev.csijava.nativeio;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An entry of a directory that is held, whatever has its name meanwhile: a file, a directory, a
 * link itself, or a special file, which is not opened by this. All that is asked of it and done to
 * it reaches exactly this one.
 *
 * <p>Close it in the thread that opened it. It is not safe for use by several threads; every method
 * blocks until the kernel has answered, and no interrupt ends that. Needs {@code /proc}.
 *
 * @since 0.1.0
 */
public sealed class OpenNode implements AutoCloseable permits OpenDirectory, OpenFile {
  private final Descriptor descriptor;

  OpenNode(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  final Descriptor descriptor() {
    return descriptor;
  }

  /**
   * What it is.
   *
   * @since 0.1.0
   */
  public final NodeStatus status() throws LinuxException {
    return NodeStatus.of(descriptor);
  }

  /**
   * The same regular file, open for its content.
   *
   * @throws LinuxException EINVAL if it is anything else, which is not opened
   * @since 0.1.0
   */
  public final OpenFile openFile(OpenFile.Access access) throws LinuxException {
    if (status().type() != NodeType.FILE) {
      throw new LinuxException(SystemCall.OPENAT, Errno.EINVAL);
    }
    return new OpenFile(descriptor.reopen(access.flags()));
  }

  /**
   * The same directory, open for what is in it.
   *
   * @throws LinuxException ENOTDIR if it is none
   * @since 0.1.0
   */
  public final OpenDirectory openDirectory() throws LinuxException {
    return new OpenDirectory(
        descriptor.openEntry(
            new byte[] {'.'}, Descriptor.READ | Architecture.running().directory()));
  }

  /**
   * Where a link leads, as it is written in it; nothing is followed.
   *
   * @throws LinuxException ENOENT or EINVAL if it is no link
   * @since 0.1.0
   */
  public final byte[] linkTarget() throws LinuxException {
    return TreeCalls.readLink(descriptor);
  }

  /**
   * Gives it to this owner and group. The kernel takes set-id bits away: set the mode afterwards.
   *
   * @since 0.1.0
   */
  public final void setOwner(int user, int group) throws LinuxException {
    NodeCalls.setOwner(descriptor, user, group);
  }

  /**
   * Sets the twelve permission bits. A link has none.
   *
   * @throws LinuxException EOPNOTSUPP for a link
   * @since 0.1.0
   */
  public final void setMode(int mode) throws LinuxException {
    NodeCalls.setMode(descriptor, mode);
  }

  /**
   * Sets both times, to the nanosecond where the file system can.
   *
   * @since 0.1.0
   */
  public final void setTimes(Instant accessed, Instant modified) throws LinuxException {
    NodeCalls.setTimes(descriptor, accessed, modified);
  }

  /**
   * The names of its extended attributes of every kind that this process may see: {@code user.*},
   * {@code trusted.*}, {@code security.*}, and ACLs as {@code system.posix_acl_*}.
   *
   * @return none if the file system has no attributes
   * @since 0.1.0
   */
  public final List<String> attributeNames() throws LinuxException {
    return AttributeCalls.names(descriptor);
  }

  /**
   * The value of an extended attribute.
   *
   * @return empty if it has no such attribute
   * @since 0.1.0
   */
  public final Optional<byte[]> attribute(String name) throws LinuxException {
    return AttributeCalls.get(descriptor, name);
  }

  /**
   * Sets an extended attribute, new or not.
   *
   * @throws LinuxException EOPNOTSUPP, or EPERM for a link, if it can have none of this kind
   * @since 0.1.0
   */
  public final void setAttribute(String name, byte[] value) throws LinuxException {
    AttributeCalls.set(descriptor, name, value);
  }

  /**
   * Takes an extended attribute away. Nothing happens if it has no such attribute.
   *
   * @since 0.1.0
   */
  public final void removeAttribute(String name) throws LinuxException {
    AttributeCalls.remove(descriptor, name);
  }

  /** Lets go of it. */
  @Override
  public final void close() {
    descriptor.close();
  }
}
