package ${package};

import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.operation.CreateRecords;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The volumes on disk: {@code <root>/<id>/request} and {@code <root>/<id>/data}. A directory
 * appears and disappears by one rename, so that a crash leaves whole volumes only.
 */
final class VolumeStore implements CreateRecords<CreateVolumeRequest, StoredVolume> {
  private static final String UNFINISHED = ".";

  private final CapacityPlanner planner =
      CapacityPlanner.builder().granularity(1 << 20).defaultSize(1 << 30).build();
  private final Map<String, StoredVolume> byId = new ConcurrentHashMap<>();
  private final Path root;

  private VolumeStore(Path root) {
    this.root = root;
  }

  /** Reads what is there, and clears away what a crash left half made or half deleted. */
  static VolumeStore open(Path root) throws IOException {
    VolumeStore store = new VolumeStore(Files.createDirectories(root));
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
      for (Path directory : directories) {
        String id = directory.getFileName().toString();
        if (id.startsWith(UNFINISHED)) {
          deleteTree(directory);
        } else {
          byte[] request = Files.readAllBytes(directory.resolve("request"));
          store.byId.put(id, store.volume(id, CreateVolumeRequest.parseFrom(request)));
        }
      }
    }
    return store;
  }

  Optional<StoredVolume> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public Optional<Made<CreateVolumeRequest, StoredVolume>> findByName(String name) {
    return byId.values().stream()
        .filter(volume -> volume.request().getName().equals(name))
        .map(volume -> new Made<>(volume.request(), volume))
        .findFirst();
  }

  /** On disk before it returns. */
  StoredVolume create(CreateVolumeRequest request) {
    StoredVolume volume = volume(UUID.randomUUID().toString(), request);
    Path unfinished = root.resolve(UNFINISHED + volume.id());
    try {
      Files.createDirectories(unfinished.resolve("data"));
      CreateRecords.commit(unfinished.resolve("request"), request.toByteArray());
      Files.move(unfinished, root.resolve(volume.id()), StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byId.put(volume.id(), volume);
    return volume;
  }

  /** Only what is mounted nowhere. */
  void delete(StoredVolume volume) {
    Path trash = root.resolve(UNFINISHED + volume.id());
    try {
      Files.move(root.resolve(volume.id()), trash, StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
      byId.remove(volume.id());
      deleteTree(trash);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StoredVolume volume(String id, CreateVolumeRequest request) {
    long size = planner.planNew(request);
    return new StoredVolume(id, request, size, root.resolve(id).resolve("data"));
  }

  /** Follows no link. */
  private static void deleteTree(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
