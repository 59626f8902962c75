package dev.csijava.core;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect to a Unix socket.
 *
 * @param mode the permissions that the file ends with
 * @param owner a user name or number, or null for the process's own
 * @param group a group name or number, or null for the process's own
 */
record SocketAccess(Set<PosixFilePermission> mode, @Nullable String owner, @Nullable String group) {
  static final Set<PosixFilePermission> OWNER_ONLY =
      Set.copyOf(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

  static SocketAccess ownerOnly() {
    return new SocketAccess(OWNER_ONLY, null, null);
  }
}
