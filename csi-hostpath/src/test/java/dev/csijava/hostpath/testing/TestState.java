package dev.csijava.hostpath.testing;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.store.StateDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/** A state directory in memory that can be opened again, as a restart does. */
public final class TestState implements AutoCloseable {
  /** What the clock of the tests says. */
  public static final Instant NOW = Instant.parse("2026-11-29T12:00:00.123456789Z");

  private final FileSystem fileSystem =
      Jimfs.newFileSystem(
          Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
  private final FakeDisk disk = new FakeDisk();
  private final FakeKernel kernel;
  private final Steps steps;
  private final FakeMachine machine;
  private StateDirectory state;

  /** An empty one. */
  public TestState() {
    this(new FakeKernel());
  }

  /** An empty one that tells of its steps. */
  public TestState(Steps steps) {
    this(new FakeKernel(), steps);
  }

  /** An empty one on a node with this kernel. */
  public TestState(FakeKernel kernel) {
    this(kernel, Steps.NONE);
  }

  private TestState(FakeKernel kernel, Steps steps) {
    this.kernel = kernel;
    this.steps = steps;
    this.machine = new FakeMachine(kernel, dev(), disk);
    this.state = open();
  }

  private Path dev() {
    try {
      return Files.createDirectory(fileSystem.getPath("/dev"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The node around it. */
  public FakeMachine machine() {
    return machine;
  }

  /** What volumes and snapshots are made by, of at most so many bytes. */
  public VolumeData data(long largest) {
    return new VolumeData(
        machine.backings(state.volumes()), new VolumeSizes(largest, Math.min(1L << 30, largest)));
  }

  /** Who uses volumes; none is staged as a device. */
  public VolumeUses uses() {
    return new VolumeUses(
        state.volumes(), machine.backings(state.volumes()), kernel, volume -> List.of());
  }

  private StateDirectory open() {
    try {
      return StateDirectory.open(root(), disk, kernel, steps, clock());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The clock that stands. */
  public static Clock clock() {
    return Clock.fixed(NOW, ZoneOffset.UTC);
  }

  /** Where it lies. */
  public Path root() {
    return fileSystem.getPath("/state");
  }

  /** As it is open now. */
  public StateDirectory state() {
    return state;
  }

  /** Below the store. */
  public FakeDisk disk() {
    return disk;
  }

  /** Beside the store. */
  public FakeKernel kernel() {
    return kernel;
  }

  /** Lets go of it and opens it again. */
  public StateDirectory restart() {
    close();
    state = open();
    return state;
  }

  /** The names in a folder of the state directory, sorted. */
  public List<String> names(String folder) {
    try (Stream<Path> entries = Files.list(root().resolve(folder))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      state.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
