package dev.csijava.examples.block;

import dev.csijava.core.operation.CreateRecords;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The back end: a directory that the controller and all nodes see, with a folder a volume: {@code
 * <id>/request}, {@code <id>/attached} and {@code <id>/image}. A folder appears and disappears by
 * one rename. Nothing is kept in memory, so every process sees what the controller has committed.
 *
 * <p>Only the controller writes, and the framework gives it one call of a volume at a time.
 */
final class SharedDirectory implements CreateRecords<CreateVolumeRequest, BlockVolume> {
  private static final Logger log = LoggerFactory.getLogger(SharedDirectory.class);
  private static final String UNFINISHED = ".unfinished-";
  private static final String IMAGE = "image";
  private static final List<String> FILES =
      List.of(IMAGE, "attached", ".attached", "request", ".request");

  private static final FileAttribute<?> ONLY_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path root;

  SharedDirectory(Path root) {
    this.root = root;
  }

  /** Clears away what a crash left half made or half deleted. For the start of the controller. */
  void sweep() throws IOException {
    for (Path folder : folders()) {
      if (name(folder).startsWith(UNFINISHED)) {
        try {
          remove(folder);
        } catch (IOException e) {
          log.warn("{} can't be removed now; the next start tries again", folder, e);
        }
      }
    }
  }

  /** Where images are, also those of volumes whose records can't be read at the moment. */
  List<Path> images() {
    try {
      return folders().stream()
          .filter(folder -> !name(folder).startsWith(UNFINISHED))
          .map(folder -> folder.resolve(IMAGE))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The id is compared with the names that are there; no path is made of it. */
  Optional<BlockVolume> find(String id) {
    try {
      for (Path folder : folders()) {
        if (name(folder).equals(id) && !id.startsWith(UNFINISHED)) {
          return Optional.of(read(folder));
        }
      }
    } catch (NoSuchFileException e) {
      log.debug("volume {} was deleted meanwhile", id, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.empty();
  }

  /** In a stable order. What can't be read is left out, so that it hurts one volume only. */
  List<BlockVolume> all() {
    List<BlockVolume> volumes = new ArrayList<>();
    try {
      for (Path folder : folders()) {
        if (!name(folder).startsWith(UNFINISHED)) {
          try {
            volumes.add(read(folder));
          } catch (NoSuchFileException e) {
            log.debug("volume {} was deleted meanwhile", name(folder), e);
          } catch (IOException e) {
            log.warn("volume {} can't be read", name(folder), e);
          }
        }
      }
      return volumes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<Made<CreateVolumeRequest, BlockVolume>> findByName(String name) {
    return all().stream()
        .filter(volume -> volume.request().getName().equals(name))
        .map(volume -> new Made<>(volume.request(), volume))
        .findFirst();
  }

  BlockVolume create(CreateVolumeRequest request, long sizeBytes) {
    String id = UUID.randomUUID().toString();
    Path unfinished = root.resolve(UNFINISHED + id);
    Path folder = root.resolve(id);
    try {
      Files.createDirectory(unfinished, ONLY_OWNER);
      Files.createFile(unfinished.resolve(IMAGE));
      grow(unfinished.resolve(IMAGE), sizeBytes);
      CreateRecords.commit(unfinished.resolve("request"), request.toByteArray());
      Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
      return read(folder);
    } catch (IOException e) {
      // What is left has an unfinished name, and is swept.
      throw new UncheckedIOException(e);
    }
  }

  void delete(BlockVolume volume) {
    Path trash = root.resolve(UNFINISHED + volume.id());
    try {
      Files.move(root.resolve(volume.id()), trash, StandardCopyOption.ATOMIC_MOVE);
      CreateRecords.sync(root);
      remove(trash);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void attach(BlockVolume volume, List<ControllerPublishVolumeRequest> attachments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (ControllerPublishVolumeRequest attachment : attachments) {
        attachment.writeDelimitedTo(bytes);
      }
      CreateRecords.commit(volume.image().resolveSibling("attached"), bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an image larger, never smaller; what is new reads as zeros. On disk when it returns. */
  static void grow(Path image, long sizeBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
      if (channel.size() < sizeBytes) {
        // Java can't grow a file without writing its last byte.
        channel.write(ByteBuffer.allocate(1), sizeBytes - 1);
      }
      channel.force(true);
    }
  }

  private BlockVolume read(Path folder) throws IOException {
    CreateVolumeRequest request =
        CreateVolumeRequest.parseFrom(Files.readAllBytes(folder.resolve("request")));
    List<ControllerPublishVolumeRequest> attachments = new ArrayList<>();
    Path attached = folder.resolve("attached");
    if (Files.exists(attached, LinkOption.NOFOLLOW_LINKS)) {
      try (InputStream in = Files.newInputStream(attached)) {
        var next = ControllerPublishVolumeRequest.parseDelimitedFrom(in);
        while (next != null) {
          attachments.add(next);
          next = ControllerPublishVolumeRequest.parseDelimitedFrom(in);
        }
      }
    }
    return new BlockVolume(name(folder), request, attachments, folder.resolve(IMAGE));
  }

  private List<Path> folders() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries
          .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  /** Only what this class has made, by name: nothing is deleted recursively. */
  private static void remove(Path folder) throws IOException {
    for (String file : FILES) {
      Files.deleteIfExists(folder.resolve(file));
    }
    Files.delete(folder);
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }
}
