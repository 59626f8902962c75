package dev.csijava.core.mount;

import java.io.IOException;
import java.util.Optional;

/**
 * A faster way to mount than by programs, found by {@link java.util.ServiceLoader}. csi-native is
 * one; its class files need a newer JDK than this module, so a provider that can't be loaded is no
 * error.
 *
 * <p>{@link Mounter#system} and {@link UsageReader#system} ask once in the life of the process.
 *
 * @since 0.1.0
 */
public interface MounterProvider {
  /**
   * What the log calls it, for example {@code system calls}.
   *
   * @since 0.1.0
   */
  String name();

  /**
   * Why it can't work in this process and how to change that, in one sentence; empty if it can.
   * Changes nothing, and may be asked before anything is mounted.
   *
   * @since 0.1.0
   */
  Optional<String> unavailable();

  /**
   * Mounts this way.
   *
   * @param programs does what this way can't: file systems with a helper, for example
   * @since 0.1.0
   */
  Mounter mounter(Mounter programs);

  /**
   * Measures this way.
   *
   * @param programs measures where an answer may never come
   * @since 0.1.0
   */
  UsageReader usageReader(UsageReader programs);

  /**
   * The kernel's number of every mount of this process's namespace, each used once and never again,
   * in ascending order. Where two answers are equal, nothing was mounted or unmounted between them,
   * which is how {@link MountTable#read} knows that what it read is of one moment.
   *
   * @return empty where this way can't tell
   * @throws IOException if the kernel does not answer
   * @since 0.1.0
   */
  default long[] mountNumbers() throws IOException {
    return new long[0];
  }

  /**
   * Why it can't attach loop devices in this process and how to change that, in one sentence; empty
   * if it can. Changes nothing.
   *
   * @since 0.1.0
   */
  default Optional<String> loopDevicesUnavailable() {
    return Optional.of(name() + " has no loop devices");
  }

  /**
   * Attaches loop devices this way; asked only if {@link #loopDevicesUnavailable} is empty.
   *
   * @param tag as in {@link LoopDevices#system(String)}
   * @param programs does what this way can't
   * @since 0.1.0
   */
  default LoopDevices loopDevices(String tag, LoopDevices programs) {
    return programs;
  }
}
