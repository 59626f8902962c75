package dev.csijava.examples.network;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.operation.CreateRecords;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes on the server's export: {@code <id>/request} and {@code <id>/data}, of which nodes
 * mount the latter. A folder appears and disappears by one rename, so that a crash leaves whole
 * volumes only. One process at a time has an export open.
 */
final class ExportStore
    implements CreateRecords<CreateVolumeRequest, NetworkVolume>, AutoCloseable {
  static final String DATA = "data";

  private static final Logger log = LoggerFactory.getLogger(ExportStore.class);
  private static final String LOCK = ".lock";
  private static final String UNFINISHED = ".unfinished-";
  private static final String TRASH = ".trash-";

  private final CapacityPlanner planner = CapacityPlanner.builder().granularity(1 << 20).build();
  private final Map<String, NetworkVolume> byId = new ConcurrentHashMap<>();
  private final Path root;
  private @Nullable FileChannel lock;

  /** Touches nothing: a process that serves a node has no export. */
  ExportStore(Path root) {
    this.root = root;
  }

  /** Reads what is there, and clears away what a crash left half made or half removed. */
  void open() throws IOException {
    lock =
        FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      throw new IOException("another controller has the export open: " + root);
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString();
        if (name.startsWith(UNFINISHED) || name.startsWith(TRASH)) {
          remove(name);
        } else if (NetworkVolume.isId(name)) {
          load(name);
        }
      }
    }
  }

  /** A record that can't be read stays, and its volume is not served. */
  private void load(String id) {
    try {
      byte[] request = Files.readAllBytes(root.resolve(id).resolve("request"));
      byId.put(id, volume(id, CreateVolumeRequest.parseFrom(request)));
    } catch (IOException | CsiException e) {
      log.error("the record of {} can't be read; the volume is not served", id, e);
    }
  }

  Optional<NetworkVolume> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public Optional<Made<CreateVolumeRequest, NetworkVolume>> findByName(String name) {
    return byId.values().stream()
        .filter(volume -> volume.request().getName().equals(name))
        .map(volume -> new Made<>(volume.request(), volume))
        .findFirst();
  }

  NetworkVolume create(CreateVolumeRequest request) {
    NetworkVolume volume = volume(UUID.randomUUID().toString(), request);
    Path unfinished = root.resolve(UNFINISHED + volume.id());
    try {
      Path data = Files.createDirectories(unfinished.resolve(DATA));
      // Pods run as any user; a StorageClass for a group would make it one of the parameters.
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
      CreateRecords.commit(unfinished.resolve("request"), request.toByteArray());
      Files.move(unfinished, root.resolve(volume.id()), StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the caller repeats the call; the next start cleans up
    }
    byId.put(volume.id(), volume);
    return volume;
  }

  /** The volume is gone with the rename; what can't be removed then waits for the next start. */
  void delete(NetworkVolume volume) {
    try {
      Files.move(
          root.resolve(volume.id()),
          root.resolve(TRASH + volume.id()),
          StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byId.remove(volume.id());
    remove(TRASH + volume.id());
  }

  /**
   * A file that a node still has open may stay as {@code .nfs...}: that keeps nobody from serving.
   */
  private void remove(String name) {
    try {
      new TreeRemoval(root, TRASH).remove(name);
    } catch (IOException e) {
      log.warn("{} can't be removed now; the next start tries again", root.resolve(name), e);
    }
  }

  private NetworkVolume volume(String id, CreateVolumeRequest request) {
    return new NetworkVolume(id, request, planner.planNew(request));
  }

  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }
}
