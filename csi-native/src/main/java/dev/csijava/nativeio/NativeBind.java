package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes one bind mount, or finds it there. */
final class NativeBind {
  private static final Logger log = LoggerFactory.getLogger(NativeBind.class);

  private final MountKernel kernel;
  private final MountReader reader;
  private final NativeUnmount unmount;
  private final Mounter programs;
  private final AtomicBoolean refusalLogged = new AtomicBoolean();

  NativeBind(MountKernel kernel, MountReader reader, NativeUnmount unmount, Mounter programs) {
    this.kernel = kernel;
    this.reader = reader;
    this.unmount = unmount;
    this.programs = programs;
  }

  void bind(Path source, Path target, MountOptions options) {
    try (Place from = find(source, "source");
        Place to = find(target, "target");
        Descriptor origin = open(from, "source")) {
      FileStatus wanted = status(origin, "source");
      Mount below =
          reader
              .byId(wanted.mountId())
              .map(Mounted::mount)
              .orElseThrow(() -> CsiException.unavailable("the source was unmounted", null));
      List<Mounted> stack = stackAt(to);
      if (!stack.isEmpty()) {
        accept(wanted, below, to, stack, options);
        return;
      }
      MountAttempt attempt;
      try (Descriptor place = open(to, "target")) {
        requireSameType(wanted, status(place, "target"));
        attempt = MountAttempt.of(kernel, reader, origin, place, options);
      }
      judge(attempt, below, to, options);
    } catch (LinuxException e) {
      if (!e.refused()) {
        throw CsiException.internal("the mount failed: " + NativeUnmount.words(e), e);
      }
      if (!refusalLogged.getAndSet(true)) {
        log.warn(
            "mounts are made by mount(8), since this process may not mount by system calls ({});"
                + " to change it permit them in the container's seccomp or security profile",
            e.getMessage());
      }
      programs.bind(source, target, options);
    } catch (IOException e) {
      throw CsiException.unavailable("the mounts at the target can't be read", e);
    }
  }

  /** Something was there before the call. */
  private void accept(
      FileStatus wanted, Mount below, Place to, List<Mounted> stack, MountOptions options)
      throws LinuxException {
    Mount top = stack.get(stack.size() - 1).mount();
    if (!shows(wanted, to)) {
      throw CsiException.alreadyExists("something else is mounted at the target: " + describe(top));
    }
    for (Mounted mounted : stack) {
      Mount mount = mounted.mount();
      if (!mount.device().equals(top.device()) || !mount.root().equals(top.root())) {
        throw CsiException.alreadyExists(
            "something else is mounted at the target, beneath the right mount: " + describe(mount));
      }
      options
          .difference(mount, below)
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
  private void judge(MountAttempt attempt, Mount below, Place to, MountOptions options)
      throws IOException {
    List<Mounted> stack = stackAt(to);
    Mounted top = stack.isEmpty() ? null : stack.get(stack.size() - 1);
    LinuxException failure = attempt.failure();
    if (top == null || top.id() != attempt.id()) {
      if (top != null) {
        throw CsiException.unavailable(
            "something else was mounted at the target meanwhile: " + describe(top.mount()), null);
      }
      if (failure != null && failure.refused()) {
        throw failure;
      }
      throw CsiException.internal(
          failure == null
              ? "the kernel reported success, but nothing is mounted at the target"
              : "the mount failed: " + NativeUnmount.words(failure) + hint(failure),
          failure);
    }
    String fault = fault(stack, top, below, options);
    if (fault == null) {
      if (failure != null) {
        log.warn("the mount is there as asked for, although {}", failure.getMessage());
      }
      return;
    }
    String sentence =
        "the mount is "
            + fault
            + (failure == null
                ? " although the kernel reported success"
                : ": " + NativeUnmount.words(failure));
    try {
      unmount.one(to);
    } catch (CsiException | LinuxException e) {
      throw CsiException.unavailable(
          sentence + "; and it could not be undone: " + e.getMessage(), e);
    }
    List<Mounted> left = stackAt(to);
    if (!left.isEmpty() && left.get(left.size() - 1).id() == attempt.id()) {
      throw CsiException.unavailable(
          sentence + "; and it could not be undone: it is still there", failure);
    }
    throw CsiException.internal(sentence + "; it was undone", failure);
  }

  private static @Nullable String fault(
      List<Mounted> stack, Mounted top, Mount below, MountOptions options) {
    if (stack.size() > 1) {
      return "there several times";
    }
    if (top.shared()) {
      return "in a peer group";
    }
    return options
        .difference(top.mount(), below)
        .or(() -> MountOptions.loss(top.mount(), below))
        .orElse(null);
  }

  private List<Mounted> stackAt(Place place) throws IOException {
    if (!place.isMountPoint()) {
      return List.of();
    }
    FileStatus status;
    try (Descriptor top = place.open()) {
      status = FileStatus.of(top, reader.kindOfId());
    } catch (LinuxException e) {
      throw CsiException.alreadyExists(
          "something else is mounted at the target, and it is broken: " + NativeUnmount.words(e));
    }
    return status.mountRoot() ? reader.stackUnder(status.mountId()) : List.of();
  }

  private boolean shows(FileStatus wanted, Place place) throws LinuxException {
    try (Descriptor top = place.open()) {
      FileStatus status = FileStatus.of(top, reader.kindOfId());
      return status.mountRoot() && status.sameFile(wanted);
    }
  }

  private static Place find(Path path, String role) {
    Place place = Place.find(path);
    if (place == null) {
      throw missing(role);
    }
    return place;
  }

  private static Descriptor open(Place place, String role) throws LinuxException {
    try {
      return place.open();
    } catch (LinuxException e) {
      if (e.refused()) {
        throw e;
      }
      throw missing(role);
    }
  }

  private static CsiException missing(String role) {
    return CsiException.failedPrecondition(
        "the " + role + " of the mount is missing or can't be read");
  }

  private FileStatus status(Descriptor end, String role) throws LinuxException {
    FileStatus status = FileStatus.of(end, reader.kindOfId());
    if (status.isLink()) {
      throw CsiException.failedPrecondition(
          "the " + role + " of the mount is a link, which is not followed");
    }
    return status;
  }

  private static void requireSameType(FileStatus source, FileStatus target) {
    if (source.isDirectory() != target.isDirectory()) {
      throw CsiException.failedPrecondition(
          "the target is a " + word(target) + ", but has to be a " + word(source));
    }
  }

  private static String word(FileStatus status) {
    return status.isDirectory() ? "directory" : "file";
  }

  private static String hint(LinuxException failure) {
    return failure.is(Errno.ENOSPC)
        ? "; this node may have all the mounts that sysctl fs.mount-max allows"
        : "";
  }

  private static String describe(Mount mount) {
    return mount.fileSystemType() + " " + mount.root() + " of " + mount.source();
  }
}
