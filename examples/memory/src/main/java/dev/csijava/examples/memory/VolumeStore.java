package dev.csijava.examples.memory;

import dev.csijava.core.CsiException;
import dev.csijava.core.operation.CreateRecords;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of the volumes, one file each, committed by a rename and synced before the answer. A
 * volume's contents are forgotten in a reboot, the volume itself is not: it is staged anew, empty.
 *
 * <p>Safe for use by several threads; the framework lets one call at a time change a volume.
 */
final class VolumeStore implements CreateRecords<CreateVolumeRequest, MemoryVolume> {
  private static final Logger log = LoggerFactory.getLogger(VolumeStore.class);
  private static final String RECORD = ".volume";
  private static final String UNFINISHED = ".";

  private final Map<String, MemoryVolume> byId = new ConcurrentHashMap<>();
  private final Path directory;

  private VolumeStore(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads what is there. A record that can't be read stays where it is, for people to look at, and
   * so does what is none.
   */
  static VolumeStore open(Path directory) throws IOException {
    VolumeStore store = new VolumeStore(Files.createDirectories(directory));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.startsWith(UNFINISHED) && name.endsWith(RECORD)) {
          Files.delete(file);
        } else if (name.endsWith(RECORD)) {
          store.load(file, name.substring(0, name.length() - RECORD.length()));
        }
      }
    }
    return store;
  }

  private void load(Path file, String id) {
    try (InputStream in = Files.newInputStream(file)) {
      Volume message = Volume.parseDelimitedFrom(in);
      CreateVolumeRequest request = CreateVolumeRequest.parseDelimitedFrom(in);
      if (message == null || request == null || !message.getVolumeId().equals(id)) {
        throw new IOException("it is cut short or of another volume");
      }
      byId.put(id, new MemoryVolume(request, message));
    } catch (IOException e) {
      log.error("the record {} can't be read; its volume is not served", file, e);
    }
  }

  Optional<MemoryVolume> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  MemoryVolume require(String id) {
    return find(id).orElseThrow(() -> CsiException.notFound("there is no volume " + id));
  }

  @Override
  public Optional<Made<CreateVolumeRequest, MemoryVolume>> findByName(String name) {
    return byId.values().stream()
        .filter(volume -> volume.request().getName().equals(name))
        .map(volume -> new Made<>(volume.request(), volume))
        .findFirst();
  }

  /** Writes a new volume, or the new state of one. */
  MemoryVolume save(MemoryVolume volume) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      volume.message().writeDelimitedTo(bytes);
      volume.request().writeDelimitedTo(bytes);
      CreateRecords.commit(record(volume), bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the caller repeats the call
    }
    byId.put(volume.id(), volume);
    return volume;
  }

  void delete(MemoryVolume volume) {
    try {
      Files.deleteIfExists(record(volume));
      CreateRecords.sync(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byId.remove(volume.id());
  }

  private Path record(MemoryVolume volume) {
    return directory.resolve(volume.id() + RECORD);
  }
}
