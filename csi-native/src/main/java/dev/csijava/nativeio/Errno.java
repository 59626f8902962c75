package dev.csijava.nativeio;

import java.util.HashMap;
import java.util.Map;

/** The kernel's error numbers, which are the same on x86-64 and aarch64. */
final class Errno {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int ENXIO = 6;
  static final int EBADF = 9;
  static final int EAGAIN = 11;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int EXDEV = 18;
  static final int ENODEV = 19;
  static final int ENOTDIR = 20;
  static final int EINVAL = 22;
  static final int ENOTTY = 25;
  static final int ENOSPC = 28;
  static final int ENAMETOOLONG = 36;
  static final int ENOSYS = 38;
  static final int ELOOP = 40;
  static final int EOVERFLOW = 75;
  static final int EOPNOTSUPP = 95;

  private static final Map<Integer, String> NAMES = names();

  private Errno() {}

  /** For example {@code EBUSY}, or {@code errno 4711} where the number has no name here. */
  static String name(int errno) {
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
    names.put(61, "ENODATA");
    names.put(62, "ETIME");
    names.put(70, "ECOMM");
    names.put(71, "EPROTO");
    names.put(EOVERFLOW, "EOVERFLOW");
    names.put(EOPNOTSUPP, "EOPNOTSUPP");
    names.put(103, "ECONNABORTED");
    names.put(107, "ENOTCONN");
    names.put(110, "ETIMEDOUT");
    names.put(112, "EHOSTDOWN");
    names.put(113, "EHOSTUNREACH");
    names.put(116, "ESTALE");
    names.put(117, "EUCLEAN");
    names.put(121, "EREMOTEIO");
    names.put(122, "EDQUOT");
    return Map.copyOf(names);
  }
}
