package dev.csijava.examples.existing;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.operation.CreateRecords;
import dev.csijava.examples.existing.Disk.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disks of this node. Every call looks at the discovery directory anew, so what was plugged in
 * is found and what is gone is missed without anybody being told.
 *
 * <p>What an entry was when it was first seen is written down: a disk that is not mounted after a
 * reboot leaves an empty directory behind, which must not be taken for it (rule K6). Its inode
 * tells them apart. An entry is forgotten only by deleting its record by hand.
 *
 * <p>Safe for use by several threads.
 */
final class Discovery {
  private static final Logger log = LoggerFactory.getLogger(Discovery.class);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Path directory;
  private final Path records;
  private final String nodeId;
  private final Facts facts;

  /**
   * @param directory where the disks are entries
   * @param records where this class writes down what it has seen; outlives a reboot
   */
  Discovery(Path directory, Path records, String nodeId, Facts facts) {
    this.directory = directory;
    this.records = records;
    this.nodeId = nodeId;
    this.facts = facts;
  }

  /** All disks that are or were there, ordered by id. */
  List<Disk> all() {
    List<Disk> disks = new ArrayList<>();
    names().forEach(name -> look(name).ifPresent(disks::add));
    disks.sort((one, other) -> one.id().compareTo(other.id()));
    return disks;
  }

  /** The id is compared with those of the names that are there; no path is made of it. */
  Optional<Disk> find(String id) {
    return names().stream().filter(name -> id(name).equals(id)).findFirst().flatMap(this::look);
  }

  /**
   * @throws CsiException NOT_FOUND
   */
  Disk require(String id) {
    return find(id).orElseThrow(() -> CsiException.notFound("there is no such volume"));
  }

  /** Whether what a path shows is the directory that this disk was when it was first seen. */
  boolean isAt(Disk disk, Path path) throws IOException {
    return record(disk.name()).filter(seen -> seen.inode() == facts.inode(path)).isPresent();
  }

  private String id(String name) {
    return KubeletPaths.volumeHandleHash(nodeId + "/" + name);
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    try {
      for (Path place : List.of(directory, records)) {
        try (Stream<Path> entries = Files.list(place)) {
          entries.map(entry -> entry.getFileName().toString()).forEach(names::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    names.removeIf(name -> !NAME.matcher(name).matches());
    return names;
  }

  /** Without a lock, since a disk that hangs must keep nobody from looking at the others. */
  private Optional<Disk> look(String name) {
    Path entry = directory.resolve(name);
    Optional<Found> now = now(entry);
    Found seen;
    try {
      Optional<Found> recorded = recordOf(name, now);
      if (recorded.isEmpty()) {
        return Optional.empty();
      }
      seen = recorded.get();
    } catch (IOException e) {
      return Optional.of(
          new Disk(name, id(name), Kind.UNKNOWN, entry, Optional.of("its record can't be read")));
    }
    boolean there = now.filter(seen::isSame).isPresent();
    return Optional.of(
        new Disk(
            name,
            id(name),
            seen.kind(),
            there ? now.get().source() : entry,
            there ? Optional.empty() : Optional.of(missing(seen.kind()))));
  }

  /** What is written down; what is there now, if nothing was and it is. */
  private synchronized Optional<Found> recordOf(String name, Optional<Found> now)
      throws IOException {
    Optional<Found> recorded = record(name);
    if (recorded.isPresent() || now.isEmpty()) {
      return recorded;
    }
    remember(name, now.get());
    log.info("found {} {}", now.get().kind(), name);
    return now;
  }

  private static String missing(Kind kind) {
    return switch (kind) {
      case MOUNT -> "the disk is not mounted";
      case BLOCK -> "the block device is gone";
      default -> "the directory is gone, or another lies in its place";
    };
  }

  /** What the entry is at this moment; empty for what is not served. */
  private Optional<Found> now(Path entry) {
    try {
      boolean link = Files.isSymbolicLink(entry);
      Path real = entry.toRealPath();
      if (facts.isBlockDevice(real)) {
        return Optional.of(new Found(Kind.BLOCK, 0, real));
      }
      if (Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
        if (link) {
          return Optional.of(new Found(Kind.DIRECTORY, facts.inode(real), real));
        }
        // A directory on which nothing is mounted is the place of a disk, and not a disk.
        if (facts.isMountPoint(real)) {
          return Optional.of(new Found(Kind.MOUNT, facts.inode(real), real));
        }
      }
      return Optional.empty();
    } catch (IOException | UncheckedIOException e) {
      log.debug("{} can't be looked at", entry, e);
      return Optional.empty();
    }
  }

  private Optional<Found> record(String name) throws IOException {
    Path file = records.resolve(name);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      String[] words = Files.readString(file).strip().split(" ", -1);
      return Optional.of(
          new Found(Kind.valueOf(words[0]), Long.parseLong(words[1]), directory.resolve(name)));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("the record of " + name + " is damaged", e);
    }
  }

  private void remember(String name, Found found) throws IOException {
    byte[] record = (found.kind() + " " + found.inode() + "\n").getBytes(StandardCharsets.UTF_8);
    CreateRecords.commit(records.resolve(name), record);
  }

  /** An entry at one moment. The inode of a device means nothing: it is made anew at each boot. */
  private record Found(Kind kind, long inode, Path source) {
    boolean isSame(Found other) {
      return kind == other.kind && inode == other.inode;
    }
  }
}
