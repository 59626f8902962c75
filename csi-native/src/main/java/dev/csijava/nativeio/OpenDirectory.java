package dev.csijava.nativeio;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An open directory, and what can be done to the names in it. Names are single ones, links are
 * never followed and mounts never crossed, so that nobody who swaps a directory for a link in
 * between leads the caller elsewhere (rule K2).
 *
 * @since 0.1.0
 */
public final class OpenDirectory extends OpenNode {
  OpenDirectory(Descriptor descriptor) {
    super(descriptor);
  }

  /**
   * Opens a directory by its path. Links further up are followed, the last component is not; mounts
   * are crossed.
   *
   * @param path absolute, as this process sees it, and the caller's own: nobody else may change
   *     what lies further up
   * @throws LinuxException ENOENT; ENOTDIR if it is anything else, a link included
   * @since 0.1.0
   */
  public static OpenDirectory at(Path path) throws LinuxException {
    return new OpenDirectory(
        Descriptor.open(
            path,
            Descriptor.READ
                | Architecture.running().directory()
                | Architecture.running().noFollow()));
  }

  /**
   * Opens the directory that a path lies in, as {@link #at} does; what is at the path is not looked
   * at.
   *
   * @throws IllegalArgumentException if it is the root
   * @since 0.1.0
   */
  public static OpenDirectory parentOf(Path path) throws LinuxException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("the root lies in no directory");
    }
    return at(parent);
  }

  /**
   * Why directories can't be opened this way in this process and how to change that, in one
   * sentence; empty if they can. May be asked first of all; changes nothing.
   *
   * @since 0.1.0
   */
  public static Optional<String> unavailable() {
    Optional<String> system = Architecture.unsupported();
    if (system.isPresent()) {
      return system;
    }
    try (OpenDirectory self = at(Path.of("/proc/self/fd"))) {
      self.openDirectory().close();
      return Optional.empty();
    } catch (LinuxException e) {
      return Optional.of(
          e.getMessage() + " for /proc/self/fd; to reach files by descriptor mount /proc");
    } catch (IllegalCallerException | LinkageError e) {
      return Optional.of(
          "native access is denied; to reach files by descriptor start the JVM with"
              + " --enable-native-access=ALL-UNNAMED");
    }
  }

  /**
   * The directory that this one is in now, on whatever mount. It may have been moved: compare the
   * status with what is expected.
   *
   * @since 0.1.0
   */
  public OpenDirectory parent() throws LinuxException {
    return new OpenDirectory(
        descriptor()
            .openEntry(
                new byte[] {'.', '.'}, Descriptor.READ | Architecture.running().directory()));
  }

  /**
   * Holds what has this name, a link itself; does not open a special file.
   *
   * @throws LinuxException ENOENT; EXDEV if something is mounted there
   * @since 0.1.0
   */
  public OpenNode entry(FileName name) throws LinuxException {
    return new OpenNode(Beneath.open(descriptor(), name, Descriptor.PATH, 0));
  }

  /**
   * Opens the directory with this name.
   *
   * @throws LinuxException ENOENT; ENOTDIR or ELOOP if it is none; EXDEV if something is mounted
   *     there
   * @since 0.1.0
   */
  public OpenDirectory directory(FileName name) throws LinuxException {
    return new OpenDirectory(
        Beneath.open(descriptor(), name, Descriptor.READ | Architecture.running().directory(), 0));
  }

  /**
   * Opens the regular file with this name.
   *
   * @throws LinuxException ENOENT; EINVAL if it is no regular file, which is not opened; EXDEV if
   *     something is mounted there
   * @since 0.1.0
   */
  public OpenFile file(FileName name, OpenFile.Access access) throws LinuxException {
    try (OpenNode node = entry(name)) {
      return node.openFile(access);
    }
  }

  /**
   * Makes a file and opens it for reading and writing.
   *
   * @param mode permission bits, less this process's umask
   * @throws LinuxException EEXIST if anything has the name
   * @since 0.1.0
   */
  public OpenFile makeFile(FileName name, int mode) throws LinuxException {
    return new OpenFile(
        Beneath.open(descriptor(), name, Descriptor.READ_WRITE | Descriptor.CREATE_NEW, mode));
  }

  /**
   * Makes a directory.
   *
   * @param mode permission bits, less this process's umask
   * @throws LinuxException EEXIST if anything has the name
   * @since 0.1.0
   */
  public void makeDirectory(FileName name, int mode) throws LinuxException {
    TreeCalls.makeDirectory(descriptor(), name, mode);
  }

  /**
   * Makes a special file.
   *
   * @param type a fifo, a socket or a device
   * @param device which one, where it is a device
   * @param mode permission bits, less this process's umask
   * @throws LinuxException EEXIST if anything has the name
   * @since 0.1.0
   */
  public void makeSpecial(FileName name, NodeType type, int mode, DeviceNumber device)
      throws LinuxException {
    TreeCalls.makeNode(descriptor(), name, type.modeBits() | mode, device.packed());
  }

  /**
   * Makes a symbolic link.
   *
   * @param target what is written in it, any bytes but NUL
   * @throws LinuxException EEXIST if anything has the name
   * @since 0.1.0
   */
  public void makeLink(FileName name, byte[] target) throws LinuxException {
    TreeCalls.makeLink(descriptor(), name, target);
  }

  /**
   * Gives a held file, link or special file one more name: a hard link.
   *
   * @throws LinuxException EEXIST if anything has the name; EXDEV if it lies on another mount
   * @since 0.1.0
   */
  public void addName(FileName name, OpenNode node) throws LinuxException {
    TreeCalls.addName(node.descriptor(), descriptor(), name);
  }

  /**
   * Takes the name of anything but a directory away.
   *
   * @throws LinuxException ENOENT; EISDIR for a directory; EBUSY if something is mounted there
   * @since 0.1.0
   */
  public void removeFile(FileName name) throws LinuxException {
    TreeCalls.removeFile(descriptor(), name);
  }

  /**
   * Removes an empty directory.
   *
   * @throws LinuxException ENOENT; ENOTEMPTY; ENOTDIR; EBUSY if something is mounted there
   * @since 0.1.0
   */
  public void removeDirectory(FileName name) throws LinuxException {
    TreeCalls.removeDirectory(descriptor(), name);
  }

  /**
   * Moves a name, at one moment, within one mount.
   *
   * @throws LinuxException ENOENT; EEXIST or ENOTEMPTY as the rule has it; EXDEV; EBUSY if
   *     something is mounted at either
   * @since 0.1.0
   */
  public void rename(FileName name, OpenDirectory to, FileName newName, RenameRule rule)
      throws LinuxException {
    TreeCalls.rename(descriptor(), name, to.descriptor(), newName, rule.flag());
  }

  /**
   * The next names, in no order, some hundred at a time. What is made or removed meanwhile may be
   * among them or not.
   *
   * @return empty at the end
   * @since 0.1.0
   */
  public List<DirectoryEntry> nextEntries() throws LinuxException {
    return EntryCalls.next(descriptor());
  }

  /**
   * Starts reading the names from the beginning again.
   *
   * @since 0.1.0
   */
  public void rewind() throws LinuxException {
    DataCalls.rewind(descriptor());
  }

  /**
   * Returns when the names in this directory are on disk.
   *
   * @since 0.1.0
   */
  public void sync() throws LinuxException {
    DataCalls.sync(descriptor());
  }

  /**
   * Returns when all of the file system that it lies on is on disk.
   *
   * @throws LinuxException EIO, ENOSPC or EDQUOT if something could not be written
   * @since 0.1.0
   */
  public void syncFileSystem() throws LinuxException {
    DataCalls.syncFileSystem(descriptor());
  }
}
