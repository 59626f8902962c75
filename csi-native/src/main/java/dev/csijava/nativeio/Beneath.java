package dev.csijava.nativeio;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a name in a directory so that it can lead nowhere else: no link is followed, no mount is
 * crossed. By openat2, which has the kernel watch over that; where it is refused, by openat, which
 * does not follow the last link and is given single names only, and a look at the mount afterwards.
 */
final class Beneath {
  private static final Logger log = LoggerFactory.getLogger(Beneath.class);

  private static final long NO_CROSSING = 0x01;
  private static final long NO_MAGIC_LINKS = 0x02;
  private static final long NO_LINKS = 0x04;
  private static final long BELOW = 0x08;
  private static final long RESOLVE = NO_CROSSING | NO_MAGIC_LINKS | NO_LINKS | BELOW;
  private static final int TRIES = 100;

  private static volatile boolean restricted = works();

  private Beneath() {}

  private static boolean works() {
    try {
      new Descriptor(-1).openEntry(new byte[] {'x'}, 0, RESOLVE).close();
      return true;
    } catch (LinuxException e) {
      if (!e.refused() && !e.is(Errno.EACCES)) {
        return true;
      }
      log.info(
          "files are opened by openat, and looked at afterwards: {}; to have the kernel keep to the"
              + " directory use Linux 5.6 or newer and permit openat2 in the container's seccomp"
              + " profile",
          e.getMessage());
      return false;
    }
  }

  /** For tests: as if the kernel refused openat2. */
  static void useRestricted(boolean use) {
    restricted = use;
  }

  /**
   * @param mode of a file that is made
   * @throws LinuxException EXDEV if something is mounted at the name; ELOOP for a link, unless the
   *     flags ask for a place only
   */
  static Descriptor open(Descriptor directory, FileName name, int flags, int mode)
      throws LinuxException {
    int wanted = flags | Architecture.running().noFollow();
    if (!restricted) {
      return looked(directory, directory.openOrMakeEntry(name.bytes(), wanted, mode));
    }
    for (int i = 1; ; i++) {
      try {
        return directory.openEntry(name.bytes(), wanted, mode, RESOLVE);
      } catch (LinuxException e) {
        // Somebody renames a directory further up at this moment.
        if (!e.is(Errno.EAGAIN) || i == TRIES) {
          throw e;
        }
      }
    }
  }

  private static Descriptor looked(Descriptor directory, Descriptor opened) throws LinuxException {
    try {
      if (FileStatus.of(opened, FileStatus.TABLE_ID).mountId()
          == FileStatus.of(directory, FileStatus.TABLE_ID).mountId()) {
        return opened;
      }
    } catch (LinuxException e) {
      opened.close();
      throw e;
    }
    opened.close();
    throw new LinuxException(SystemCall.OPENAT, Errno.EXDEV);
  }
}
