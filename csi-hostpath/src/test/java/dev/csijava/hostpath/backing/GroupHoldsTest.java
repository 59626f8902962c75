package dev.csijava.hostpath.backing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeKernel;
import dev.csijava.hostpath.testing.FakeMachine;
import dev.csijava.hostpath.testing.Requests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times of change are the kernel's, so the directory is a real one. */
@DisplayName("GROUP-CREATE-010 a directory that a pod has")
class GroupHoldsTest {
  private final FakeKernel kernel = new FakeKernel();
  private final FlushingCopier files = new FlushingCopier();

  private StateDirectory state;
  private Backings backings;
  private Record volume;
  private Path file;

  @BeforeEach
  void publish(@TempDir Path temporary) throws IOException {
    Path root = temporary.toRealPath();
    state =
        StateDirectory.open(
            root.resolve("state"), new LocalDisk(), kernel, Steps.NONE, Clock.systemUTC());
    FakeMachine machine =
        new FakeMachine(kernel, Files.createDirectory(root.resolve("dev")), new LocalDisk());
    backings =
        new Backings(
            new Backings.Machine(
                new LocalDisk(),
                new TimesOfChange(),
                files,
                kernel,
                kernel,
                machine.usage(),
                machine.loops(),
                machine.filesystems(),
                node -> ""),
            state.volumes());
    volume =
        state
            .volumes()
            .create(
                Record.newBuilder()
                    .setName("volume")
                    .setBacking(Backing.DIRECTORY)
                    .setVolume(VolumeDetails.newBuilder().setRequest(Requests.create("volume")))
                    .build(),
                Files::createDirectory);
    Path data = state.volumes().data(volume);
    file = Files.writeString(data.resolve("file"), "before");
    kernel.bind(data, Files.createDirectory(root.resolve("pod")), MountOptions.NONE);
  }

  @AfterEach
  void close() throws IOException {
    state.close();
  }

  private GroupHold hold() {
    return backings.hold(List.of(volume));
  }

  @Test
  void hasNotChangedWhereNobodyWrites() throws IOException {
    try (GroupHold hold = hold()) {
      assertThat(files.flushes).as("what is still in memory").isEqualTo(1);
      assertThat(hold.changed()).isEmpty();
    }
  }

  @Test
  void hasChangedWhereSomebodyWritesBetweenTheCuts() throws IOException {
    try (GroupHold hold = hold()) {
      Files.writeString(file, "during");

      assertThat(hold.changed()).contains(volume.getId());
    }
  }

  /**
   * A page that is written through mapped memory when it was flushed already is dirty again before
   * the first cut, and further writes to it change no time.
   */
  @Test
  void hasChangedWhereSomebodyWritesWhileItIsFlushed() throws IOException {
    files.meanwhile = () -> Files.writeString(file, "during");
    try (GroupHold hold = hold()) {
      assertThat(hold.changed()).contains(volume.getId());
    }
  }

  /** What somebody does. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  /** Tells of its flushes. */
  private static final class FlushingCopier implements FileCopier {
    private int flushes;
    private Action meanwhile = () -> {};

    @Override
    public void copy(Path from, Path to, Runnable afterCut) {
      throw new AssertionError("a hold cuts nothing");
    }

    @Override
    public void flush(Path mountPoint) throws IOException {
      flushes++;
      meanwhile.run();
    }
  }

  /** Looks at them, and is not disturbed. */
  private static final class TimesOfChange implements TreeCopier {
    @Override
    public void copy(Path from, Path to) {
      throw new AssertionError("a hold cuts nothing");
    }

    @Override
    public boolean isUnchangedSince(Path directory, Instant moment) throws IOException {
      try (Stream<Path> tree = Files.walk(directory)) {
        for (Path path : tree.toList()) {
          if (!ChangeClock.changed(path).isBefore(moment)) {
            return false;
          }
        }
        return true;
      }
    }
  }
}
