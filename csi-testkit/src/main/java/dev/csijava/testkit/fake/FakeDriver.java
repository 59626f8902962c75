package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.StorageHealthErrorType;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A CSI driver that lives in memory and serves a Unix socket, for tests of what calls drivers. It
 * knows all 36 RPCs of CSI 1.12 and 1.13 and keeps their rules; {@link #script} makes it slow or
 * lets it fail, {@link #calls} says what it was asked.
 *
 * <pre>{@code
 * try (FakeDriver driver = FakeDriver.builder().start()) {
 *   driver.script().on("CreateVolume").call(1).fail(Status.Code.ABORTED, "busy");
 *   myProvisioner.run(driver.endpoint());
 *   assertThat(driver.calls().of("CreateVolume")).hasSize(2);
 * }
 * }</pre>
 *
 * <p>Nothing is mounted and no root is needed: NodePublishVolume makes the directory or, for block,
 * the empty file at the target path, and NodeUnpublishVolume removes it with rmdir or unlink. The
 * content of volumes is made up: {@link #write} fills blocks of 4 KiB, snapshots and clones carry
 * them along, the metadata streams report them, {@link #read} shows them.
 *
 * <p>All methods may be called from any thread, also while calls run.
 *
 * @since 0.1.0
 */
public final class FakeDriver implements AutoCloseable {
  private final FakeState state;
  private final FakeScript script = new FakeScript();
  private final CallLog calls;
  private final Path socket;
  private final Optional<Path> ownDirectory;
  private final FakeServices services;
  private final List<Deviation> deviations;
  private UnixServer server;

  private FakeDriver(FakeDriverBuilder from, Path socket, Optional<Path> ownDirectory)
      throws IOException {
    this.state = new FakeState();
    this.calls = new CallLog(from.callsKept);
    this.socket = socket;
    this.ownDirectory = ownDirectory;
    this.services = new FakeServices(new FakeSettings(from), state);
    this.deviations = List.copyOf(from.deviations);
    this.server = serve();
  }

  private UnixServer serve() throws IOException {
    return UnixServer.start(
        socket,
        List.of(
            new FakeIdentity(services),
            new FakeController(services),
            new FakeGroupController(services),
            new FakeSnapshotMetadata(services),
            new FakeNode(services)),
        new ScriptedCalls(script, calls, state, deviations));
  }

  /**
   * A driver that offers everything, until the builder is told otherwise.
   *
   * @since 0.1.0
   */
  public static FakeDriverBuilder builder() {
    return new FakeDriverBuilder();
  }

  static FakeDriver start(FakeDriverBuilder from, Optional<Path> socket) throws IOException {
    if (socket.isPresent()) {
      return new FakeDriver(from, socket.get().toAbsolutePath(), Optional.empty());
    }
    Path directory = Files.createTempDirectory("fake-csi");
    try {
      return new FakeDriver(from, directory.resolve("csi.sock"), Optional.of(directory));
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(directory);
      throw e;
    }
  }

  /**
   * Where it listens, as CSI_ENDPOINT has it: {@code unix:///path/of/the.sock}.
   *
   * @since 0.1.0
   */
  public String endpoint() {
    return "unix://" + socket;
  }

  /**
   * The path of its socket, absolute.
   *
   * @since 0.1.0
   */
  public Path socket() {
    return socket;
  }

  /**
   * Delays and faults.
   *
   * @since 0.1.0
   */
  public FakeScript script() {
    return script;
  }

  /**
   * What it was asked, and what it said.
   *
   * @since 0.1.0
   */
  public CallLog calls() {
    return calls;
  }

  /**
   * The volumes that there are, by id.
   *
   * @since 0.1.0
   */
  public List<Volume> volumes() {
    synchronized (state) {
      return state.volumes.values().stream().map(FakeVolume::message).toList();
    }
  }

  /**
   * The snapshots that there are, members of groups included, by id.
   *
   * @since 0.1.0
   */
  public List<Snapshot> snapshots() {
    Instant now = Instant.now();
    synchronized (state) {
      return state.snapshots.values().stream().map(one -> one.message(now)).toList();
    }
  }

  /**
   * The ids of the nodes that a volume is attached to; empty for an unknown volume.
   *
   * @since 0.1.0
   */
  public Set<String> attachedTo(String volumeId) {
    synchronized (state) {
      FakeVolume volume = state.volumes.get(volumeId);
      return volume == null ? Set.of() : Set.copyOf(volume.attachments.keySet());
    }
  }

  /**
   * The staging paths of a volume on this node; empty for an unknown volume.
   *
   * @since 0.1.0
   */
  public Set<String> stagedAt(String volumeId) {
    synchronized (state) {
      FakeVolume volume = state.volumes.get(volumeId);
      return volume == null ? Set.of() : Set.copyOf(volume.stagings.keySet());
    }
  }

  /**
   * The target paths of a volume on this node; empty for an unknown volume.
   *
   * @since 0.1.0
   */
  public Set<String> publishedAt(String volumeId) {
    synchronized (state) {
      FakeVolume volume = state.volumes.get(volumeId);
      return volume == null ? Set.of() : Set.copyOf(volume.publications.keySet());
    }
  }

  /**
   * Forgets what is staged and published on this node, as a reboot does.
   *
   * @since 0.1.0
   */
  public void reboot() {
    synchronized (state) {
      for (FakeVolume volume : state.volumes.values()) {
        volume.stagings.clear();
        volume.publications.clear();
      }
      state.inline.clear();
    }
  }

  /**
   * Ends as a process does that is killed: calls are cut off, connections end. All that was done is
   * kept, as on a disk. Does nothing if it does not serve.
   *
   * @since 0.1.0
   */
  public synchronized void kill() {
    server.close();
  }

  /**
   * Serves again after {@link #kill}, or ends and serves again. Knows what it knew.
   *
   * @throws IOException if its socket can't be bound
   * @since 0.1.0
   */
  public synchronized void restart() throws IOException {
    server.close();
    server = serve();
  }

  /** Loses everything, as a driver does that answers before it has written down. */
  void forget() {
    synchronized (state) {
      state.volumes.clear();
      state.snapshots.clear();
      state.groups.clear();
    }
  }

  /**
   * Whether Probe says ready; it does at first.
   *
   * @since 0.1.0
   */
  public void ready(boolean ready) {
    synchronized (state) {
      state.ready = ready;
    }
  }

  /**
   * Writes to a volume: all blocks of 4 KiB that the range touches get bytes that no block had
   * before.
   *
   * @param offset in bytes
   * @param length in bytes
   * @throws IllegalArgumentException if there is no such volume or the range is not within it
   * @since 0.1.0
   */
  public void write(String volumeId, long offset, long length) {
    synchronized (state) {
      FakeVolume volume = known(volumeId);
      if (offset < 0 || length < 0 || offset > volume.capacity - length) {
        throw new IllegalArgumentException("the range is not within the volume");
      }
      volume.blocks.write(offset, length, state.nextWrite());
    }
  }

  /**
   * The bytes of a volume; zero where nothing was written.
   *
   * @param offset in bytes
   * @throws IllegalArgumentException if there is no such volume
   * @since 0.1.0
   */
  public byte[] read(String volumeId, long offset, int length) {
    synchronized (state) {
      return known(volumeId).blocks.read(offset, length);
    }
  }

  /**
   * Gives a volume an ailment, which all RPCs about health then report.
   *
   * @param reason one word in CamelCase
   * @throws IllegalArgumentException if there is no such volume
   * @since 0.1.0
   */
  public void ail(String volumeId, VolumeHealthErrorType status, String reason, String message) {
    synchronized (state) {
      known(volumeId)
          .health
          .add(
              VolumeHealthEntry.newBuilder()
                  .setStatus(status)
                  .setReason(reason)
                  .setMessage(message)
                  .build());
    }
  }

  /**
   * Gives the back end an ailment, which NodeGetStorageHealth then reports.
   *
   * @since 0.1.0
   */
  public void ail(StorageHealthErrorType status, String reason, String message) {
    synchronized (state) {
      state.storageHealth.add(
          StorageBackendHealth.newBuilder()
              .setStatus(status)
              .setReason(reason)
              .setMessage(message)
              .build());
    }
  }

  /**
   * Heals all volumes and the back end.
   *
   * @since 0.1.0
   */
  public void heal() {
    synchronized (state) {
      state.volumes.values().forEach(volume -> volume.health.clear());
      state.storageHealth.clear();
    }
  }

  private FakeVolume known(String volumeId) {
    FakeVolume volume = state.volumes.get(volumeId);
    if (volume == null) {
      throw new IllegalArgumentException("there is no volume " + volumeId);
    }
    return volume;
  }

  /** Stops serving, ends calls that wait, and removes the socket. What is published stays. */
  @Override
  public synchronized void close() {
    server.close();
    ownDirectory.ifPresent(
        directory -> {
          try {
            Files.deleteIfExists(directory);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
