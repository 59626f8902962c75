package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountOptions.Flag;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MountsBelow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What mounting by programs can't promise and mounting by system calls does. Needs root. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeOnlyPromisesIT {
  private static final int ROUNDS = 300;
  private static final Pattern PEERS = Pattern.compile(" shared:\\d+ ");

  @TempDir Path temporary;

  private MountsBelow mounts;
  private Path directory;
  private Path source;
  private Path target;

  @BeforeEach
  void setUp() throws Exception {
    directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
    Files.writeString(source.resolve("hello"), "world");
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
  }

  private static Mounter mounter(MountKernel kernel) {
    return new NativeMounter(
        kernel, MountReader.system(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  @Test
  void whatCannotBeReadIsToldFromWhatIsMissing() throws Exception {
    Mounter mounter = mounter(MountKernel.system());
    Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    assertThatThrownBy(() -> mounter.bind(loop.resolve("a"), target, MountOptions.NONE))
        .hasMessage("the source of the mount can't be read: openat answered ELOOP");
    assertThatThrownBy(() -> mounter.bind(source.resolve("a"), target, MountOptions.NONE))
        .hasMessage("the source of the mount is missing");
    assertThatThrownBy(() -> mounter.bind(source, target.resolve("a"), MountOptions.NONE))
        .hasMessage("the target of the mount is missing");
  }

  @Test
  @DisplayName("B115 a read-only bind is never seen writable")
  void thereIsNoMomentInWhichAReadOnlyMountIsWritable() throws Exception {
    Mounter mounter = mounter(MountKernel.system());
    AtomicBoolean end = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>();
    AtomicReference<Integer> seen = new AtomicReference<>(0);
    Thread observer =
        new Thread(
            () -> {
              while (!end.get()) {
                try {
                  Mount mount = MountTable.read().at(target).orElse(null);
                  if (mount != null) {
                    seen.set(seen.get() + 1);
                    if (!mount.options().contains("ro")) {
                      wrong.set(mount.toString());
                    }
                  }
                } catch (IOException e) {
                  wrong.set(e.toString());
                }
              }
            });
    observer.start();
    try {
      for (int i = 0; i < ROUNDS || (seen.get() < 20 && i < 20 * ROUNDS); i++) {
        mounter.bind(source, target, MountOptions.of(Flag.RO));
        mounter.unmount(target);
      }
    } finally {
      end.set(true);
      observer.join();
    }
    assertThat(wrong.get()).isNull();
    assertThat(seen.get()).isPositive();
  }

  @Test
  @DisplayName("B025 a clone gets its flags and leaves the peer group before it is attached")
  void aCloneIsNeverInThePeerGroupOfItsSource() throws Exception {
    Path shared = Files.createDirectory(directory.resolve("shared"));
    run("mount", "-n", "-t", "tmpfs", "t", shared.toString());
    run("mount", "-n", "--make-shared", shared.toString());
    Path inside = Files.createDirectory(shared.resolve("target"));
    List<String> atAttach = new ArrayList<>();
    Mounter mounter =
        mounter(
            new ForwardingKernel() {
              @Override
              public void attach(Descriptor clone, Descriptor place) throws LinuxException {
                super.attach(clone, place);
                atAttach.addAll(mountinfoOf(inside));
              }
            });
    mounter.bind(shared, inside, MountOptions.of(Flag.RO, Flag.NOEXEC, Flag.NOATIME));
    assertThat(atAttach).hasSize(1);
    assertThat(atAttach.get(0)).contains(" ro,noexec,noatime ");
    Matcher group = PEERS.matcher(mountinfoOf(shared).get(0));
    assertThat(group.find()).isTrue();
    assertThat(atAttach.get(0)).doesNotContain(group.group());
    assertThat(mountinfoOf(inside).get(0)).doesNotContainPattern(PEERS);
  }

  private static List<String> mountinfoOf(Path path) {
    try {
      return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
          .filter(line -> line.contains(" " + path + " "))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("B020 a target swapped for a link after the look is not followed")
  void aTargetSwappedForALinkIsNotFollowed() throws Exception {
    Path victim = Files.createDirectory(directory.resolve("victim"));
    Mounter mounter =
        mounter(
            new ForwardingKernel() {
              @Override
              public Descriptor cloneOf(Descriptor origin, MountOptions options)
                  throws LinuxException {
                try {
                  Files.move(target, directory.resolve("aside"), StandardCopyOption.ATOMIC_MOVE);
                  Files.createSymbolicLink(target, victim);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                return super.cloneOf(origin, options);
              }
            });
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> mounter.bind(source, target, MountOptions.NONE));
    assertThat(error).isNotNull();
    assertThat(MountTable.read().at(victim)).isEmpty();
    mounter(MountKernel.system()).unmount(directory.resolve("aside"));
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B020 a source swapped for a link after the look is not followed")
  void aSourceSwappedForALinkIsNotFollowed() throws Exception {
    Path secret = Files.createDirectory(directory.resolve("secret"));
    Path real = directory.resolve("aside");
    Mounter mounter =
        mounter(
            new ForwardingKernel() {
              @Override
              public Descriptor cloneOf(Descriptor origin, MountOptions options)
                  throws LinuxException {
                try {
                  Files.move(source, real, StandardCopyOption.ATOMIC_MOVE);
                  Files.createSymbolicLink(source, secret);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                return super.cloneOf(origin, options);
              }
            });
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(target.resolve("hello")).hasContent("world");
    assertThat(mounter.isMountOf(real, target)).isTrue();
  }

  @Test
  @DisplayName("B025 B031 somebody's mount that comes between look and call stays, ours is undone")
  void aMountThatComesBetweenStaysAndOursIsUndone() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    Mounter mounter =
        mounter(
            new ForwardingKernel() {
              @Override
              public void attach(Descriptor clone, Descriptor place) throws LinuxException {
                mounter(MountKernel.system()).bind(other, target, MountOptions.NONE);
                super.attach(clone, place);
              }
            });
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> mounter.bind(source, target, MountOptions.NONE));
    assertThat(error).isNotNull();
    assertThat(mounter.isMountOf(other, target)).isTrue();
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  void aDirectoryFurtherUpSwappedAfterTheLookIsNoWayOut() throws Exception {
    Path up = Files.createDirectory(directory.resolve("up"));
    Path inside = Files.createDirectory(up.resolve("t"));
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.createDirectory(elsewhere.resolve("t"));
    Path moved = directory.resolve("moved");
    Mounter mounter =
        mounter(
            new ForwardingKernel() {
              @Override
              public void attach(Descriptor clone, Descriptor place) throws LinuxException {
                try {
                  Files.move(up, moved, StandardCopyOption.ATOMIC_MOVE);
                  Files.createSymbolicLink(up, elsewhere);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                super.attach(clone, place);
              }
            });
    mounter.bind(source, inside, MountOptions.NONE);
    assertThat(MountTable.read().at(moved.resolve("t"))).isPresent();
    assertThat(MountTable.read().at(elsewhere.resolve("t"))).isEmpty();
  }
}
