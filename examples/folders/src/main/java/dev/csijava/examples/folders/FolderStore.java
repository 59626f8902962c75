package dev.csijava.examples.folders;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.operation.CreateRecords;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes on disk: {@code <root>/<id>/request} and {@code <root>/<id>/data}. A folder appears
 * and disappears by one rename, so that a crash leaves whole volumes only.
 */
final class FolderStore implements CreateRecords<CreateVolumeRequest, Folder> {
  private static final Logger log = LoggerFactory.getLogger(FolderStore.class);
  private static final String UNFINISHED = ".unfinished-";
  private static final FileAttribute<?> ONLY_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final CapacityPlanner planner =
      CapacityPlanner.builder().granularity(1 << 20).defaultSize(1 << 30).build();
  private final Map<String, Folder> byId = new ConcurrentHashMap<>();
  private final Path root;

  private FolderStore(Path root) {
    this.root = root;
  }

  /**
   * Reads what is there, and clears away what a crash left half made or half deleted. What this
   * class can't have made, {@code lost+found} for example, stays as it is.
   */
  static FolderStore open(Path root) throws IOException {
    FolderStore store = new FolderStore(Files.createDirectories(root));
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (name.startsWith(UNFINISHED)) {
          store.remove(name);
        } else if (Folder.isId(name)) {
          store.load(name);
        }
      }
    }
    return store;
  }

  /** A record that can't be read stays, and its volume is not served: it hurts no other. */
  private void load(String id) {
    try {
      byte[] request = Files.readAllBytes(root.resolve(id).resolve("request"));
      byId.put(id, folder(id, CreateVolumeRequest.parseFrom(request)));
    } catch (IOException | CsiException e) {
      log.error("the record of {} can't be read; the volume is not served", id, e);
    }
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
      Files.createDirectory(unfinished, ONLY_OWNER);
      Files.createDirectory(unfinished.resolve("data"));
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

  /**
   * Only what is mounted nowhere. Gone with the rename; what stays then waits for the next start.
   */
  void delete(Folder folder) {
    String trash = UNFINISHED + folder.id();
    try {
      Files.move(root.resolve(folder.id()), root.resolve(trash), StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byId.remove(folder.id());
    remove(trash);
  }

  private void remove(String unfinished) {
    try {
      new TreeRemoval(root, UNFINISHED).remove(unfinished);
    } catch (IOException e) {
      log.warn("{} can't be removed now; the next start tries again", root.resolve(unfinished), e);
    }
  }

  private Folder folder(String id, CreateVolumeRequest request) {
    long size = planner.planNew(request);
    return new Folder(id, request, size, root.resolve(id).resolve("data"));
  }
}
