package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one mount about, or finds it there. What the kernel shows afterwards decides. */
final class Establishment {
  private static final Logger log = LoggerFactory.getLogger(Establishment.class);

  private final MountKernel kernel;
  private final MountReader reader;
  private final NativeUnmount unmount;
  private final AtomicBoolean refusalLogged = new AtomicBoolean();

  Establishment(MountKernel kernel, MountReader reader, NativeUnmount unmount) {
    this.kernel = kernel;
    this.reader = reader;
    this.unmount = unmount;
  }

  /** Something that makes system calls. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * Does the work, and where the system refuses its calls the other instead, with one line in the
   * log.
   */
  void orElse(Work work, Runnable programs) {
    try {
      work.run();
    } catch (LinuxException e) {
      if (!e.refused()) {
        throw CsiException.internal("the mount failed: " + words(e) + hint(e), e);
      }
      if (!refusalLogged.getAndSet(true)) {
        log.warn(
            "mounts are made by mount(8), since this process may not mount by system calls ({});"
                + " to change it permit them in the container's seccomp or security profile",
            e.getMessage());
      }
      programs.run();
    } catch (IOException e) {
      throw CsiException.unavailable("the mounts at the target can't be read", e);
    }
  }

  /**
   * As {@link dev.csijava.core.mount.Mounter} promises.
   *
   * @throws LinuxException if a call failed and nothing is attached
   */
  void bringAbout(NativeWanted wanted, Path target) throws IOException {
    try (Place to = Place.find(target)) {
      if (to == null) {
        throw missing("target", null);
      }
      MountAttempt attempt;
      long on;
      try (Descriptor place = open(to)) {
        if (place == null) {
          accept(wanted, to);
          return;
        }
        FileStatus status = statusOf(place, reader, "target");
        requireSameType(wanted.isDirectory(), status.isDirectory());
        on = status.mountId();
        attempt = MountAttempt.of(kernel, reader, wanted, place);
      }
      judge(wanted, attempt, on, to);
    }
  }

  /** Null if something is mounted there. */
  private static @Nullable Descriptor open(Place place) throws LinuxException {
    try {
      return place.openUncovered();
    } catch (LinuxException e) {
      if (e.refused()) {
        throw e;
      }
      throw missing("target", e);
    }
  }

  /** Something was there before the call. */
  private void accept(NativeWanted wanted, Place to) throws IOException {
    List<Mounted> stack = stackAt(to);
    if (stack.isEmpty()) {
      throw CsiException.unavailable("what was mounted at the target is gone meanwhile", null);
    }
    Mount top = stack.get(stack.size() - 1).mount();
    if (!wanted.isShownAt(to, top)) {
      throw CsiException.alreadyExists("something else is mounted at the target: " + describe(top));
    }
    for (Mounted mounted : stack) {
      Mount mount = mounted.mount();
      if (!mount.device().equals(top.device()) || !mount.root().equals(top.root())) {
        throw CsiException.alreadyExists(
            "something else is mounted at the target, beneath the right mount: " + describe(mount));
      }
      wanted
          .difference(mount.options(), mount.readOnly())
          .ifPresent(
              difference -> {
                throw CsiException.alreadyExists(
                    "the same is mounted at the target already, but is " + difference);
              });
    }
    for (int i = 1; i < stack.size(); i++) {
      try {
        unmount.one(to);
      } catch (CsiException e) {
        // The target shows what it is to show; unpublishing takes the whole stack away.
        log.warn("{} copies of one mount stay: {}", stack.size() - i + 1, e.getMessage());
        return;
      }
    }
  }

  /** Nothing was there before: what is there now, whatever the kernel answered? */
  private void judge(NativeWanted wanted, MountAttempt attempt, long on, Place to)
      throws IOException {
    LinuxException failure = attempt.failure();
    MountFacts facts = attempt.facts();
    if (facts == null || !isOnTop(attempt.id(), to)) {
      notThere(failure, to);
      return;
    }
    String fault = fault(wanted, facts, on);
    if (fault == null) {
      if (failure != null) {
        log.warn("the mount is there as asked for, although {}", failure.getMessage());
      }
      return;
    }
    String sentence =
        "the mount is "
            + fault
            + (failure == null ? " although the kernel reported success" : ": " + words(failure));
    try {
      unmount.one(to);
    } catch (CsiException | LinuxException e) {
      throw CsiException.unavailable(
          sentence + "; and it could not be undone: " + e.getMessage(), e);
    }
    if (isOnTop(attempt.id(), to)) {
      throw CsiException.unavailable(
          sentence + "; and it could not be undone: it is still there", failure);
    }
    throw CsiException.internal(sentence + "; it was undone", failure);
  }

  private void notThere(@Nullable LinuxException failure, Place to) throws IOException {
    List<Mounted> stack = stackAt(to);
    if (!stack.isEmpty()) {
      throw CsiException.unavailable(
          "something else was mounted at the target meanwhile: "
              + describe(stack.get(stack.size() - 1).mount()),
          null);
    }
    if (failure != null) {
      throw failure;
    }
    throw CsiException.internal(
        "the kernel reported success, but nothing is mounted at the target", null);
  }

  private boolean isOnTop(long id, Place to) throws LinuxException {
    FileStatus top = to.look(reader.kindOfId());
    return top != null && top.mountRoot() && top.mountId() == id;
  }

  private static @Nullable String fault(NativeWanted wanted, MountFacts facts, long on) {
    if (facts.parent() != on) {
      return "there several times";
    }
    if (facts.shared()) {
      return "in a peer group";
    }
    return wanted
        .difference(facts.options(), facts.readOnly())
        .or(() -> wanted.loss(facts.options()))
        .orElse(null);
  }

  private List<Mounted> stackAt(Place place) throws IOException {
    FileStatus status;
    try {
      status = place.look(reader.kindOfId());
    } catch (LinuxException e) {
      if (!place.isMountPoint()) {
        throw e;
      }
      throw CsiException.alreadyExists(
          "something else is mounted at the target, and it is broken: " + words(e));
    }
    return status != null && status.mountRoot() ? reader.stackUnder(status.mountId()) : List.of();
  }

  static CsiException missing(String role, @Nullable LinuxException cause) {
    String fault =
        cause == null || cause.is(Errno.ENOENT, Errno.ENOTDIR)
            ? "is missing"
            : "can't be read: " + words(cause);
    return CsiException.failedPrecondition("the " + role + " of the mount " + fault);
  }

  static FileStatus statusOf(Descriptor end, MountReader reader, String role)
      throws LinuxException {
    FileStatus status = FileStatus.of(end, reader.kindOfId());
    if (status.isLink()) {
      throw CsiException.failedPrecondition(
          "the " + role + " of the mount is a link, which is not followed");
    }
    return status;
  }

  private static void requireSameType(boolean wanted, boolean found) {
    if (wanted != found) {
      throw CsiException.failedPrecondition(
          "the target is a " + word(found) + ", but has to be a " + word(wanted));
    }
  }

  private static String word(boolean directory) {
    return directory ? "directory" : "file";
  }

  private static String hint(LinuxException failure) {
    return failure.is(Errno.ENOSPC)
        ? "; this node may have all the mounts that sysctl fs.mount-max allows"
        : "";
  }

  private static String words(LinuxException e) {
    return Optional.ofNullable(e.getMessage()).orElse("");
  }

  private static String describe(Mount mount) {
    return mount.fileSystemType() + " " + mount.root() + " of " + mount.source();
  }
}
