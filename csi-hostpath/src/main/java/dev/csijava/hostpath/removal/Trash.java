package dev.csijava.hostpath.removal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder for what is deleted already, and the one thread that removes it. What it has not
 * removed when the process ends, the next start does.
 */
final class Trash implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Trash.class);
  private static final String HELD = "held-";
  private static final AtomicLong SUFFIX = new AtomicLong();

  private final Path folder;
  private final ExecutorService worker;
  private final AtomicBoolean queued = new AtomicBoolean();
  private volatile boolean stopped;

  Trash(Path folder) {
    this.folder = folder;
    this.worker =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("csi-hostpath-trash").daemon().factory());
  }

  /** Makes the folder, if it is not there. */
  void makeFolder() throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
  }

  /** A fresh place in the trash for something that had this name. */
  Path placeFor(Path original) {
    return folder.resolve(original.getFileName() + "-" + uniqueSuffix());
  }

  /**
   * A fresh place for something that is not gone for good yet: the thread leaves alone what lies
   * there until it is released.
   */
  Path heldPlaceFor(Path original) {
    return folder.resolve(HELD + original.getFileName() + "-" + uniqueSuffix());
  }

  /** Whether an entry of the trash may still have to go back. */
  static boolean isHeld(String name) {
    return name.startsWith(HELD);
  }

  /** Gives what lies in a held place to the thread. */
  void release(Path held) {
    try {
      Files.move(
          held,
          folder.resolve(held.getFileName().toString().substring(HELD.length())),
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.warn("{} is removed at the next start: {}", held, e.getMessage());
    }
    emptyLater();
  }

  /** For a start: no call is under way, so nothing is to go back any more. */
  void releaseAll() {
    try (Stream<Path> entries = Files.list(folder)) {
      entries
          .filter(entry -> isHeld(entry.getFileName().toString()))
          .toList()
          .forEach(this::release);
    } catch (IOException e) {
      log.warn("the trash can't be listed: {}", e.getMessage());
    }
    emptyLater();
  }

  static String uniqueSuffix() {
    return Long.toString(System.nanoTime(), 36) + "-" + SUFFIX.incrementAndGet();
  }

  /** Has the trash emptied in the background; returns at once. */
  void emptyLater() {
    if (!stopped && queued.compareAndSet(false, true)) {
      worker.execute(
          () -> {
            queued.set(false);
            Remover.of(folder, () -> stopped).empty();
          });
    }
  }

  /** Stops between two entries and waits for the thread to end. */
  @Override
  public void close() {
    stopped = true;
    worker.shutdown();
    try {
      if (!worker.awaitTermination(10, TimeUnit.SECONDS)) {
        worker.shutdownNow();
      }
    } catch (InterruptedException e) {
      worker.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
