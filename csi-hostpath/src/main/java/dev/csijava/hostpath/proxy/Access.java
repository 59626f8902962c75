package dev.csijava.hostpath.proxy;

import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/**
 * Who may connect to the Unix sockets of a proxy.
 *
 * @param mode the permissions of their files
 * @param group the group of their files, a name or number; empty for that of the process
 */
public record Access(Set<PosixFilePermission> mode, Optional<String> group) {
  /** Copies. */
  public Access {
    mode = Set.copyOf(mode);
  }
}
