package dev.csijava.nativeio;

import java.util.HashMap;
import java.util.Map;

/**
 * The kernel's error numbers, which are the same on x86-64 and aarch64.
 *
 * @since 0.1.0
 */
public final class Errno {
  /** Not permitted to this process. */
  public static final int EPERM = 1;

  /** There is no such name. */
  public static final int ENOENT = 2;

  /** A signal came between; never seen outside this package. */
  public static final int EINTR = 4;

  /** The disk failed. */
  public static final int EIO = 5;

  /** No such device, or nothing at or behind the offset. */
  public static final int ENXIO = 6;

  /** Not a descriptor for this. */
  public static final int EBADF = 9;

  /** Not now. */
  public static final int EAGAIN = 11;

  /** Refused by permissions. */
  public static final int EACCES = 13;

  /** In use, or done already. */
  public static final int EBUSY = 16;

  /** Something has the name already. */
  public static final int EEXIST = 17;

  /** On another mount or file system. */
  public static final int EXDEV = 18;

  /** No such device. */
  public static final int ENODEV = 19;

  /** Not a directory. */
  public static final int ENOTDIR = 20;

  /** A directory. */
  public static final int EISDIR = 21;

  /** Not a value for this call, or not in this state. */
  public static final int EINVAL = 22;

  /** The file has no such control call. */
  public static final int ENOTTY = 25;

  /** In use as a program or swap. */
  public static final int ETXTBSY = 26;

  /** Too large for the file system. */
  public static final int EFBIG = 27;

  /** The disk is full. */
  public static final int ENOSPC = 28;

  /** Read-only. */
  public static final int EROFS = 30;

  /** Larger than the room for it. */
  public static final int ERANGE = 34;

  /** The name is too long. */
  public static final int ENAMETOOLONG = 36;

  /** The kernel does not know the call. */
  public static final int ENOSYS = 38;

  /** The directory is not empty. */
  public static final int ENOTEMPTY = 39;

  /** A link, where none is followed. */
  public static final int ELOOP = 40;

  /** There is no such attribute. */
  public static final int ENODATA = 61;

  /** Too large for its type. */
  public static final int EOVERFLOW = 75;

  /** The file system can not do that. */
  public static final int EOPNOTSUPP = 95;

  /** The server of a file system, as a process behind FUSE, is gone. */
  static final int ENOTCONN = 107;

  /** The server of a file system does not answer any more. */
  static final int EHOSTDOWN = 112;

  /** The server of a file system does not know the file any more. */
  static final int ESTALE = 116;

  /** The quota is used up. */
  public static final int EDQUOT = 122;

  private static final Map<Integer, String> NAMES = names();

  private Errno() {}

  /**
   * For example {@code EBUSY}, or {@code errno 4711} where the number has no name here.
   *
   * @since 0.1.0
   */
  public static String name(int errno) {
    return NAMES.getOrDefault(errno, "errno " + errno);
  }

  private static Map<Integer, String> names() {
    String[] first = {
      "EPERM",
      "ENOENT",
      "ESRCH",
      "EINTR",
      "EIO",
      "ENXIO",
      "E2BIG",
      "ENOEXEC",
      "EBADF",
      "ECHILD",
      "EAGAIN",
      "ENOMEM",
      "EACCES",
      "EFAULT",
      "ENOTBLK",
      "EBUSY",
      "EEXIST",
      "EXDEV",
      "ENODEV",
      "ENOTDIR",
      "EISDIR",
      "EINVAL",
      "ENFILE",
      "EMFILE",
      "ENOTTY",
      "ETXTBSY",
      "EFBIG",
      "ENOSPC",
      "ESPIPE",
      "EROFS",
      "EMLINK",
      "EPIPE",
      "EDOM",
      "ERANGE",
      "EDEADLK",
      "ENAMETOOLONG",
      "ENOLCK",
      "ENOSYS",
      "ENOTEMPTY",
      "ELOOP"
    };
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; i < first.length; i++) {
      names.put(i + 1, first[i]);
    }
    names.put(ENODATA, "ENODATA");
    names.put(62, "ETIME");
    names.put(70, "ECOMM");
    names.put(71, "EPROTO");
    names.put(EOVERFLOW, "EOVERFLOW");
    names.put(EOPNOTSUPP, "EOPNOTSUPP");
    names.put(103, "ECONNABORTED");
    names.put(ENOTCONN, "ENOTCONN");
    names.put(110, "ETIMEDOUT");
    names.put(EHOSTDOWN, "EHOSTDOWN");
    names.put(113, "EHOSTUNREACH");
    names.put(ESTALE, "ESTALE");
    names.put(117, "EUCLEAN");
    names.put(121, "EREMOTEIO");
    names.put(EDQUOT, "EDQUOT");
    return Map.copyOf(names);
  }
}
