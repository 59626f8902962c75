package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a mounter and lets one of its mounting calls go wrong: for tests of what a driver
 * does then. Questions are always answered truly.
 */
public final class FaultyMounter implements Mounter {
  /** How a call goes wrong. */
  public enum Fault {
    /** Nothing happens, and it says so. */
    FAILS,
    /** It happens, but is reported as a failure. */
    HAPPENS_BUT_FAILS,
    /** It is reported as done, but nothing happened. */
    SILENT
  }

  private final Mounter real;
  private final AtomicInteger untilFault;
  private final Fault fault;
  private volatile boolean struck;

  /**
   * @param call which mounting or unmounting call goes wrong, the first being 0
   */
  public FaultyMounter(Mounter real, int call, Fault fault) {
    this.real = real;
    this.untilFault = new AtomicInteger(call);
    this.fault = fault;
  }

  /** Whether the call that was to go wrong was made. */
  public boolean hasStruck() {
    return struck;
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    act(() -> real.bind(source, target, options));
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    act(() -> real.mount(source, target, fileSystemType, options));
  }

  @Override
  public void unmount(Path target) {
    act(() -> real.unmount(target));
  }

  private void act(Runnable call) {
    if (untilFault.getAndDecrement() != 0) {
      call.run();
      return;
    }
    struck = true;
    if (fault == Fault.HAPPENS_BUT_FAILS) {
      call.run();
    }
    if (fault != Fault.SILENT) {
      throw CsiException.internal("a fault that the test put in", null);
    }
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    return real.mountAt(target);
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    return real.isMountOf(source, target);
  }
}
