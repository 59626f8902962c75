package dev.csijava.examples.folders;

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
import org.jspecify.annotations.Nullable;

/**
 * The volumes on disk: {@code <root>/<id>/request} and {@code <root>/<id>/data}. A folder appears
 * and disappears by one rename, so that a crash leaves whole volumes only.
 */
final class FolderStore implements CreateRecords<CreateVolumeRequest, Folder> {
  private static final String UNFINISHED = ".";

  private final CapacityPlanner planner =
      CapacityPlanner.builder().granularity(1 << 20).defaultSize(1 << 30).build();
  private final Map<String, Folder> byId = new ConcurrentHashMap<>();
  private final Path root;

  private FolderStore(Path root) {
    this.root = root;
  }

  /** Reads what is there, and clears away what a crash left half made or half deleted. */
  static FolderStore open(Path root) throws IOException {
    FolderStore store = new FolderStore(Files.createDirectories(root));
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
      for (Path folder : folders) {
        String id = folder.getFileName().toString();
        if (id.startsWith(UNFINISHED)) {
          deleteTree(folder);
        } else {
          byte[] request = Files.readAllBytes(folder.resolve("request"));
          store.byId.put(id, store.folder(id, CreateVolumeRequest.parseFrom(request)));
        }
      }
    }
    return store;
  }

  Optional<Folder> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  // region findByName
  @Override
  public Optional<Made<CreateVolumeRequest, Folder>> findByName(String name) {
    return byId.values().stream()
        .filter(folder -> folder.request().getName().equals(name))
        .map(folder -> new Made<>(folder.request(), folder))
        .findFirst();
  }

  // endregion

  // region create
  Folder create(CreateVolumeRequest request) {
    Folder folder = folder(UUID.randomUUID().toString(), request);
    Path unfinished = root.resolve(UNFINISHED + folder.id());
    try {
      Files.createDirectories(unfinished.resolve("data"));
      CreateRecords.commit(unfinished.resolve("request"), request.toByteArray());
      Files.move(unfinished, root.resolve(folder.id()), StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byId.put(folder.id(), folder);
    return folder;
  }

  // endregion

  void delete(Folder folder) {
    Path trash = root.resolve(UNFINISHED + folder.id());
    try {
      Files.move(root.resolve(folder.id()), trash, StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
      byId.remove(folder.id());
      deleteTree(trash);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Folder folder(String id, CreateVolumeRequest request) {
    long size = planner.planNew(request);
    return new Folder(id, request, size, root.resolve(id).resolve("data"));
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
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
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
