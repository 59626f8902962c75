package dev.csijava.hostpath.node;

import com.google.protobuf.TextFormat;
import dev.csijava.core.CsiException;
import dev.csijava.hostpath.state.Publication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the kernel can't say of a mount at a target: in which access mode it was asked for. One
 * small file a target in the run directory, which lies on a file system in memory and so dies
 * together with the mounts (rule K6); nothing is synced. An entry is intent: only the kernel says
 * whether the volume still is there. Safe for use by several threads.
 */
public final class Publications {
  private static final Logger log = LoggerFactory.getLogger(Publications.class);
  private static final String NEW = ".new";

  private final Path folder;
  private final Map<String, Publication> byTarget = new ConcurrentHashMap<>();

  private Publications(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads what an earlier process left, makes the folder if it is not there, and drops what can't
   * be read.
   *
   * @param runDirectory absolute
   */
  public static Publications open(Path runDirectory) throws IOException {
    Path folder = runDirectory.resolve("publications");
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Publications publications = new Publications(folder);
    publications.load();
    return publications;
  }

  private void load() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          Publication publication = TextFormat.parse(Files.readString(file), Publication.class);
          byTarget.put(publication.getTargetPath(), publication);
        } catch (IOException e) {
          log.warn("{} can't be read and is dropped: {}", file, e.getMessage());
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** What was published of a volume, at whatever target. */
  List<Publication> of(String volumeId) {
    return byTarget.values().stream().filter(p -> p.getVolumeId().equals(volumeId)).toList();
  }

  /**
   * Remembers a publication, in place of an earlier one at that target.
   *
   * @throws CsiException INTERNAL if it can't be written; nothing is remembered then
   */
  void put(Publication publication) {
    Path file = file(publication.getTargetPath());
    Path fresh = file.resolveSibling(file.getFileName() + NEW);
    try {
      Files.writeString(fresh, TextFormat.printer().printToString(publication));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw CsiException.internal("the run directory can't be written", e);
    }
    byTarget.put(publication.getTargetPath(), publication);
  }

  /** Forgets what was published at a target, if anything was. */
  void remove(String targetPath) {
    byTarget.remove(targetPath);
    try {
      Files.deleteIfExists(file(targetPath));
    } catch (IOException e) {
      // Harmless: it counts only while the kernel shows the volume at that target.
      log.warn("the run directory keeps an entry for {}: {}", targetPath, e.toString());
    }
  }

  private Path file(String targetPath) {
    return folder.resolve(HexFormat.of().formatHex(sha256(targetPath)));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
