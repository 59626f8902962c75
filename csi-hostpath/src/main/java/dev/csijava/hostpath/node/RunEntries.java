package dev.csijava.hostpath.node;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.disk.Steps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One small file a path in a folder of the run directory, which lies on a file system in memory and
 * so dies together with the mounts (rule K6); nothing is synced. An entry is intent: only the
 * kernel says what is there. Safe for use by several threads.
 */
final class RunEntries<M extends Message> {
  private static final Logger log = LoggerFactory.getLogger(RunEntries.class);
  private static final String NEW = ".new";

  /**
   * What a newer driver has added says nothing against the rest; the older one may run after it.
   */
  private static final TextFormat.Parser LENIENT =
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build();

  private final Path folder;
  private final M nothing;
  private final Function<M, String> path;
  private final Function<M, String> volumeId;
  private final Steps steps;
  private final Map<String, M> byPath = new ConcurrentHashMap<>();

  /** The same by volume and then by path; each inner map is replaced, never changed. */
  private final Map<String, Map<String, M>> byVolume = new ConcurrentHashMap<>();

  private RunEntries(
      Path folder, M nothing, Function<M, String> path, Function<M, String> volumeId, Steps steps) {
    this.folder = folder;
    this.nothing = nothing;
    this.path = path;
    this.volumeId = volumeId;
    this.steps = steps;
  }

  /**
   * Reads what an earlier process left, makes the folder if it is not there, and drops what can't
   * be read.
   *
   * @param folder absolute
   * @param nothing an entry that says nothing
   * @param path the path that an entry is about
   * @param volumeId the volume that it is about
   */
  static <M extends Message> RunEntries<M> open(
      Path folder, M nothing, Function<M, String> path, Function<M, String> volumeId, Steps steps)
      throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    RunEntries<M> entries = new RunEntries<>(folder, nothing, path, volumeId, steps);
    entries.load();
    return entries;
  }

  private void load() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (file.getFileName().toString().endsWith(NEW)) {
          // Never in force, and under this name nobody would ever remove it.
          Files.deleteIfExists(file);
          continue;
        }
        try {
          remember(read(file));
        } catch (IOException e) {
          log.warn("{} can't be read and is dropped: {}", file, DiskErrors.reason(e));
          dropQuietly(file);
        }
      }
    }
  }

  /** Those of a volume, at the cost of no other. */
  Collection<M> of(String volume) {
    return byVolume.getOrDefault(volume, Map.of()).values();
  }

  Optional<M> at(String where) {
    return Optional.ofNullable(byPath.get(where));
  }

  /**
   * Remembers an entry, in place of an earlier one of that path.
   *
   * @throws CsiException INTERNAL if it can't be written; nothing is remembered then
   */
  void put(M entry) {
    Path file = file(path.apply(entry));
    Path fresh = file.resolveSibling(file.getFileName() + NEW);
    steps.reached(Steps.Step.RUN_ENTRY_COMING);
    try {
      Files.writeString(fresh, TextFormat.printer().printToString(entry));
      steps.reached(Steps.Step.RUN_ENTRY_WRITTEN);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      steps.reached(Steps.Step.RUN_ENTRY_IN_PLACE);
    } catch (IOException e) {
      dropQuietly(fresh);
      throw CsiException.internal(
          "the run directory " + folder + " can't be written: " + DiskErrors.reason(e), e);
    }
    remember(entry);
  }

  private M read(Path file) throws IOException {
    Message.Builder entry = nothing.newBuilderForType();
    LENIENT.merge(Files.readString(file), entry);
    // Of a builder of M, which the type of newBuilderForType does not say.
    @SuppressWarnings("unchecked")
    M whole = (M) entry.build();
    return whole;
  }

  private static void dropQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Nothing hangs on it; the next start tries again.
      log.warn("{} stays: {}", file, DiskErrors.reason(e));
    }
  }

  private void remember(M entry) {
    String where = path.apply(entry);
    M earlier = byPath.put(where, entry);
    if (earlier != null && !volumeId.apply(earlier).equals(volumeId.apply(entry))) {
      forget(volumeId.apply(earlier), where);
    }
    byVolume.compute(
        volumeId.apply(entry),
        (volume, there) -> {
          Map<String, M> more = there == null ? new HashMap<>() : new HashMap<>(there);
          more.put(where, entry);
          return more;
        });
  }

  private void forget(String volume, String where) {
    byVolume.computeIfPresent(
        volume,
        (id, there) -> {
          Map<String, M> fewer = new HashMap<>(there);
          fewer.remove(where);
          return fewer.isEmpty() ? null : fewer;
        });
  }

  /** Forgets what was said of a path, if anything was. */
  void remove(String where) {
    M earlier = byPath.remove(where);
    if (earlier != null) {
      forget(volumeId.apply(earlier), where);
    }
    steps.reached(Steps.Step.RUN_ENTRY_GOING);
    try {
      Files.deleteIfExists(file(where));
      steps.reached(Steps.Step.RUN_ENTRY_GONE);
    } catch (IOException e) {
      // Harmless: it counts only while the kernel shows the volume there.
      log.warn("the run directory keeps an entry for {}: {}", where, e.toString());
    }
  }

  private Path file(String where) {
    return folder.resolve(HexFormat.of().formatHex(sha256(where)));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
