package dev.csijava.hostpath.removal;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The folder for what is deleted already, and the one thread that removes it. What it has not
 * removed when the process ends, the next start does.
 */
final class Trash implements AutoCloseable {
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

  /** A fresh place in the trash for something that had this name. */
  Path placeFor(Path original) {
    return folder.resolve(original.getFileName() + "-" + uniqueSuffix());
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
