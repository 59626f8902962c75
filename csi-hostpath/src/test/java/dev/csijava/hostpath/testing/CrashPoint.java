package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.copy.Freezer;
import dev.csijava.hostpath.copy.MountedFileSystem;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Steps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Counts the boundaries between the steps of a call, and lets the driver die at one of them. A
 * boundary is each step that the driver tells of, and the moment before each call that changes
 * something through one of its seams. Once dead, no seam answers any more, so that no roll-back
 * does what a dead process could not.
 */
public final class CrashPoint implements Steps {
  /** What changes something, in all seams. */
  public static final Set<String> CHANGES =
      Set.of(
          "write",
          "syncFolder",
          "rename",
          "bind",
          "mount",
          "remount",
          "unmount",
          "attach",
          "detach",
          "whileUsed",
          "sweep",
          "grow",
          "make",
          "check",
          "growUnmounted",
          "renewUuid",
          "copy",
          "setSize",
          "flush",
          "freeze",
          "thaw");

  private static final Set<String> READS =
      Set.of(
          "mountAt",
          "isMountOf",
          "atOrBelow",
          "showing",
          "ofDevice",
          "deviceOf",
          "isAttachedAs",
          "isOn",
          "shownAt",
          "ofFileSystem",
          "ofBlockDevice",
          "ignoringFailedReads",
          "isUnchangedSince",
          "freezer",
          "find",
          "probe",
          "open",
          "device");

  private final Runnable death;
  private final List<String> passed = new ArrayList<>();
  private final Set<String> calls = new TreeSet<>();
  private final List<MountedFileSystem> held = new ArrayList<>();
  private String call = "";
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
    calls.clear();
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
    calls.add(call);
  }

  /** A call of this method begins; one at a time while it is armed. */
  public synchronized void called(String method) {
    call = method;
  }

  /** The methods that passed a boundary since {@link #arm}. */
  public synchronized Set<String> calls() {
    return Set.copyOf(calls);
  }

  /** Closes what a process that dies has open no more. */
  public synchronized void letGo() {
    held.forEach(MountedFileSystem::close);
    held.clear();
  }

  private synchronized void requireAlive() {
    if (dead) {
      throw new Killed();
    }
  }

  /** The same seam with boundaries. */
  public <T> T around(Class<T> seam, T real) {
    for (Method method : seam.getMethods()) {
      boolean known = CHANGES.contains(method.getName()) || READS.contains(method.getName());
      if (!known && !isStaticOrClose(method)) {
        throw new IllegalStateException("a boundary or not? " + method);
      }
    }
    return seam.cast(
        Proxy.newProxyInstance(
            seam.getClassLoader(),
            new Class<?>[] {seam},
            (proxy, method, arguments) -> {
              if (CHANGES.contains(method.getName())) {
                pass("before " + method.getName());
              } else if (!method.getName().equals("close")) {
                requireAlive();
              }
              try {
                return around(method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }

  private static boolean isStaticOrClose(Method method) {
    return Modifier.isStatic(method.getModifiers()) || method.getName().equals("close");
  }

  /** Seams that a seam hands out. */
  private Object around(Object result) {
    if (result instanceof Optional<?> there) {
      return there.map(this::around);
    }
    if (result instanceof Freezer freezer) {
      return around(Freezer.class, freezer);
    }
    if (result instanceof TreeCopier copier) {
      return around(TreeCopier.class, copier);
    }
    if (result instanceof MountedFileSystem opened) {
      hold(opened);
      return around(MountedFileSystem.class, opened);
    }
    return result;
  }

  private synchronized void hold(MountedFileSystem opened) {
    held.add(opened);
  }
}
