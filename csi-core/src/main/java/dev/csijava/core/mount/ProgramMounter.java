package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileIdentity.Kind;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mounts by mount(8) and {@link ProgramUnmount}. The programs are told to act on the paths as given
 * ({@code -c}: resolving them would ask a file system that may be dead) and to write no table of
 * their own ({@code -n}: {@code /run/mount} is often not there or not writable).
 *
 * <p>What this way can't promise: between two system calls of mount(8) a new mount is in the peer
 * group of its source, and, before util-linux 2.39, writable; and a target that turns into a link
 * between our look and the program's call is followed.
 */
final class ProgramMounter implements Mounter {
  private static final Logger log = LoggerFactory.getLogger(ProgramMounter.class);

  private final ProgramRunner programs;
  private final MountPlace.Tables tables;
  private final FileIdentity.Reader files;
  private final Duration deadline;
  private final ProgramUnmount unmount;

  ProgramMounter(Duration deadline) {
    this(new SystemPrograms(), MountTable::read, FileIdentity::of, MountHolders.system(), deadline);
  }

  ProgramMounter(
      ProgramRunner programs,
      MountPlace.Tables tables,
      FileIdentity.Reader files,
      MountHolders holders,
      Duration deadline) {
    this.programs = programs;
    this.tables = tables;
    this.files = files;
    this.deadline = deadline;
    this.unmount = new ProgramUnmount(programs, tables, holders, deadline);
  }

  @Override
  public void bind(Path source, Path target, MountOptions options) {
    MountPlace from = MountPlace.find(source, tables);
    FileIdentity identity = identity(from.path(), "source");
    Mount below =
        from.table()
            .containing(from.path())
            .orElseThrow(
                () -> CsiException.failedPrecondition("the source lies on no mount of this node"));
    establish(new WantedBind(from.path(), identity, below, options, files), target);
  }

  @Override
  public void mount(String source, Path target, String fileSystemType, List<String> options) {
    FileSystemRequest request = new FileSystemRequest(source, fileSystemType, options);
    establish(new WantedFileSystem(request), target);
  }

  @Override
  public void unmount(Path target) {
    unmount.downTo(0, target);
  }

  @Override
  public Optional<Mount> mountAt(Path target) {
    return MountPlace.find(target, tables).top();
  }

  @Override
  public boolean isMountOf(Path source, Path target) {
    MountPlace place = MountPlace.find(target, tables);
    Mount top = place.top().orElse(null);
    if (top == null) {
      return false;
    }
    MountPlace from = MountPlace.find(source, tables);
    Mount below = from.table().containing(from.path()).orElse(null);
    if (below == null || !below.device().equals(top.device())) {
      return false;
    }
    try {
      return files.of(from.path()).equals(files.of(place.path()));
    } catch (IOException e) {
      return false;
    }
  }

  private void establish(Wanted wanted, Path target) {
    MountPlace place = MountPlace.find(target, tables);
    Mount top = place.top().orElse(null);
    if (top != null) {
      accept(wanted, place, top);
      return;
    }
    Kind kind = identity(place.path(), "target").kind();
    if (kind != wanted.kind()) {
      throw CsiException.failedPrecondition(
          "the target is a " + word(kind) + ", but has to be a " + word(wanted.kind()));
    }
    ProgramCommand command = wanted.command(place.path());
    ProgramResult result;
    try {
      result = programs.run(command, deadline);
    } catch (IOException e) {
      throw CsiException.internal("mount can't be run: " + e.getMessage(), e);
    }
    judge(wanted, place.path(), command, result);
  }

  /** Something was there before the call. */
  private void accept(Wanted wanted, MountPlace place, Mount top) {
    if (!wanted.isShownBy(top, place.path())) {
      throw CsiException.alreadyExists("something else is mounted at the target: " + describe(top));
    }
    for (Mount mount : place.stack()) {
      if (!mount.device().equals(top.device()) || !mount.root().equals(top.root())) {
        throw CsiException.alreadyExists(
            "something else is mounted at the target, beneath the right mount: " + describe(mount));
      }
      wanted
          .difference(mount)
          .ifPresent(
              difference -> {
                throw CsiException.alreadyExists(
                    "the same is mounted at the target already, but is " + difference);
              });
    }
    if (place.stack().size() > 1) {
      try {
        unmount.downTo(1, place.path());
      } catch (CsiException e) {
        // The target shows what it is to show; unpublishing takes the whole stack away.
        log.warn("{} copies of one mount stay: {}", place.stack().size(), e.getMessage());
      }
    }
  }

  /** Nothing was there before: what is there now, whatever the program says? */
  private void judge(Wanted wanted, Path target, ProgramCommand command, ProgramResult result) {
    MountPlace now = MountPlace.find(target, tables);
    Mount top = now.top().orElse(null);
    if (top == null) {
      if (result.stillRunning()) {
        throw CsiException.unavailable(result.words(command), null);
      }
      throw CsiException.internal(
          result.succeeded()
              ? "mount reported success, but nothing is mounted at the target"
              : result.words(command) + hint(result, now.table()),
          null);
    }
    String fault = fault(wanted, now, top);
    if (fault == null) {
      if (!result.succeeded()) {
        log.warn("the mount is there as asked for, although {}", result.words(command));
      }
      return;
    }
    if (!wanted.cameAs(top, target)) {
      throw CsiException.unavailable(
          "something else was mounted at the target meanwhile: " + describe(top), null);
    }
    String sentence =
        "the mount is "
            + fault
            + (result.succeeded()
                ? " although mount reported success"
                : ": " + result.words(command));
    try {
      unmount.downTo(0, target);
    } catch (CsiException e) {
      throw CsiException.unavailable(
          sentence + "; and it could not be undone: " + e.getMessage(), e);
    }
    throw CsiException.internal(sentence + "; it was undone", null);
  }

  private static @Nullable String fault(Wanted wanted, MountPlace now, Mount top) {
    if (!wanted.cameAs(top, now.path())) {
      return "not that of the source";
    }
    if (now.stack().size() > 1) {
      return "there several times";
    }
    if (now.table().isShared(top)) {
      return "in a peer group";
    }
    return wanted.difference(top).or(() -> wanted.loss(top)).orElse(null);
  }

  private FileIdentity identity(Path path, String role) {
    FileIdentity identity;
    try {
      identity = files.of(path);
    } catch (IOException e) {
      throw new CsiException(
          Status.Code.FAILED_PRECONDITION,
          "the " + role + " of the mount is missing or can't be read",
          e);
    }
    if (identity.kind() == Kind.LINK) {
      throw CsiException.failedPrecondition(
          "the " + role + " of the mount is a link, which is not followed");
    }
    return identity;
  }

  private static String hint(ProgramResult result, MountTable table) {
    return result.stderr().contains("No space left on device")
        ? "; this node has "
            + table.all().size()
            + " mounts, which may be all that sysctl fs.mount-max allows"
        : "";
  }

  private static String word(Kind kind) {
    return kind == Kind.DIRECTORY ? "directory" : "file";
  }

  private static String describe(Mount mount) {
    return mount.fileSystemType() + " " + mount.root() + " of " + mount.source();
  }
}
