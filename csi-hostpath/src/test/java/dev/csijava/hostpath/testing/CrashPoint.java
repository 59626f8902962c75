package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.disk.Steps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Counts the boundaries between the steps of a call, and lets the driver die at one of them. A
 * boundary is each step that the driver tells of, and the moment before each call that changes
 * something through one of its seams. Once dead, no seam answers any more, so that no roll-back
 * does what a dead process could not.
 */
public final class CrashPoint implements Steps {
  private static final Set<String> CHANGES =
      Set.of(
          "write",
          "syncFolder",
          "rename",
          "bind",
          "mount",
          "unmount",
          "attach",
          "detach",
          "grow",
          "make",
          "check",
          "growUnmounted",
          "renewUuid",
          "copy",
          "flush");

  private final Runnable death;
  private final List<String> passed = new ArrayList<>();
  private boolean armed;
  private boolean dead;
  private int dieAt;

  /**
   * @param death what else happens when the time has come; may not return
   */
  public CrashPoint(Runnable death) {
    this.death = death;
  }

  /** The process is dead. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Dies at the boundary that comes after so many others from now on. */
  public synchronized void arm(int boundaries) {
    passed.clear();
    armed = true;
    dieAt = boundaries;
  }

  /** Goes on without dying; the boundaries that were passed since {@link #arm}. */
  public synchronized List<String> disarm() {
    armed = false;
    return List.copyOf(passed);
  }

  @Override
  public void reached(Step step) {
    pass(step.name());
  }

  private synchronized void pass(String boundary) {
    requireAlive();
    if (!armed) {
      return;
    }
    if (passed.size() == dieAt) {
      dead = true;
      death.run();
      throw new Killed();
    }
    passed.add(boundary);
  }

  private synchronized void requireAlive() {
    if (dead) {
      throw new Killed();
    }
  }

  /** The same seam with boundaries. */
  public <T> T around(Class<T> seam, T real) {
    return seam.cast(
        Proxy.newProxyInstance(
            seam.getClassLoader(),
            new Class<?>[] {seam},
            (proxy, method, arguments) -> {
              if (CHANGES.contains(method.getName())) {
                pass("before " + method.getName());
              } else {
                requireAlive();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }
}
