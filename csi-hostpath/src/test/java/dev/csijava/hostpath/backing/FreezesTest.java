package dev.csijava.hostpath.backing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.Freezer;
import dev.csijava.hostpath.copy.MountedFileSystem;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeLoops;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreezesTest {
  private final FakeKernel kernel = new FakeKernel();
  private final Still still = new Still();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Path root;
  private FakeLoops loops;
  private FreezeMarks marks;
  private Freezes freezes;

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @BeforeEach
  void make(@TempDir Path directory) throws IOException {
    root = directory.toRealPath();
    loops = new FakeLoops(Files.createDirectory(root.resolve("dev")), kernel);
    marks = new FreezeMarks(root.resolve("frozen"));
    freezes = new Freezes(new AttachedFiles(loops, kernel, node -> ""), still, marks);
  }

  /** An image that is mounted. */
  private Path mounted(String name) throws IOException {
    Path file = Files.createFile(Files.createDirectory(root.resolve(name)).resolve("data"));
    kernel.mount(loops.attach(file, false).node().toString(), mountPoint(name), "ext4", List.of());
    return file;
  }

  private Path mountPoint(String name) {
    return root.resolve(name + "-mount");
  }

  @Test
  void cutsOfOneImageShareAFreezeAndTheLastOneThawsIt() throws IOException {
    Path file = mounted("a");

    CutHold first = freezes.hold(file);
    CutHold second = freezes.hold(file);
    first.close();
    first.close();
    assertThat(still.frozen).containsExactly(mountPoint("a"));
    assertThat(marks.has(file)).isTrue();
    freezes.thawLeftOf(file);
    assertThat(still.frozen).as("held, so not left by anybody").hasSize(1);
    second.close();

    assertThat(still.frozen).isEmpty();
    assertThat(still.freezes).hasValue(1);
    assertThat(marks.has(file)).isFalse();
    freezes.hold(file).close();
    assertThat(still.freezes).hasValue(2);
  }

  @Test
  void whatACrashLeftIsThawedIfItIsMarkedAndOnlyThen() throws IOException {
    Path ours = mounted("a");
    Path foreign = mounted("b");
    still.frozen.addAll(Set.of(mountPoint("a"), mountPoint("b")));
    marks.put(ours);

    freezes.thawLeftOf(ours);
    freezes.thawLeftOf(foreign);

    assertThat(still.frozen).containsExactly(mountPoint("b"));
    assertThat(marks.has(ours)).isFalse();
  }

  @Test
  @DisplayName("K15: a thaw that hangs holds up no other image, and who freezes the same one next")
  void aThawThatHangsHoldsUpNoOtherImage() throws Exception {
    Path file = mounted("a");
    Path other = mounted("b");
    CutHold held = freezes.hold(file);
    CountDownLatch hang = new CountDownLatch(1);
    still.hang = hang;
    CompletableFuture<Void> thaw = CompletableFuture.runAsync(held::close, threads);
    assertThat(still.hanging.await(30, TimeUnit.SECONDS)).isTrue();

    try {
      CompletableFuture.runAsync(
              () -> {
                marks(other);
                freezes.thawLeftOf(other);
                hold(other).close();
              },
              threads)
          .orTimeout(20, TimeUnit.SECONDS)
          .join();
      CompletableFuture<CutHold> next = CompletableFuture.supplyAsync(() -> hold(file), threads);
      assertThat(next).isNotDone();
      hang.countDown();
      thaw.orTimeout(30, TimeUnit.SECONDS).join();
      CutHold again = next.orTimeout(30, TimeUnit.SECONDS).join();
      assertThat(still.frozen).containsExactly(mountPoint("a"));
      again.close();
      assertThat(still.frozen).isEmpty();
    } finally {
      hang.countDown();
    }
  }

  private CutHold hold(Path file) {
    try {
      return freezes.hold(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void marks(Path file) {
    try {
      marks.put(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Freezes by a note; its next thaw may hang. */
  private static final class Still implements FileCopier {
    private final Set<Path> frozen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger freezes = new AtomicInteger();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private volatile CountDownLatch hang = new CountDownLatch(0);

    @Override
    public void copy(Path from, Path to, Runnable afterCut) throws IOException {
      Files.copy(from, to);
      afterCut.run();
    }

    @Override
    public void flush(Path mountPoint) {}

    @Override
    public Optional<Freezer> freezer() {
      return Optional.of(Opened::new);
    }

    private final class Opened implements MountedFileSystem {
      private final Path mountPoint;

      Opened(Path mountPoint) {
        this.mountPoint = mountPoint;
      }

      @Override
      public String device() {
        return "7:1";
      }

      @Override
      public Outcome freeze() {
        freezes.incrementAndGet();
        return frozen.add(mountPoint) ? Outcome.FROZEN : Outcome.FROZEN_BEFORE;
      }

      @Override
      public void thaw() throws IOException {
        CountDownLatch now = hang;
        hang = new CountDownLatch(0);
        if (now.getCount() > 0) {
          hanging.countDown();
          try {
            now.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        frozen.remove(mountPoint);
      }

      @Override
      public void close() {}
    }
  }
}
