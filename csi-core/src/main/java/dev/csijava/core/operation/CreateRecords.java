package dev.csijava.core.operation;

import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Where an {@link IdempotentCreate} finds what was made under a name. A driver's own store
 * implements it; {@link InMemoryCreateRecords} is one for tests and for back ends that forget.
 *
 * <p>Called by several threads at once, but for one name by one at a time while the framework holds
 * the name's lock. It answers what is committed: nothing that is half made, nothing deleted.
 *
 * @param <R> the create request, as {@link CreateRequests} normalises it
 * @param <O> what the driver makes: its record of a volume, snapshot or group
 * @since 0.1.0
 */
@FunctionalInterface
public interface CreateRecords<R extends Message, O> {
  /**
   * What was made under the name, with the request that made it; empty if the name is free. May
   * block.
   *
   * @since 0.1.0
   */
  Optional<Made<R, O>> findByName(String name);

  /**
   * An object and the request that it was made from.
   *
   * @param request the normalised request, as it was stored
   * @param object the object as it is now
   * @since 0.1.0
   */
  record Made<R extends Message, O>(R request, O object) {}

  /**
   * Writes a record's file so that a crash leaves the old contents or the new and never a part of
   * them (rule K7). On disk when it returns; two syncs of the disk. For one file by one thread at a
   * time.
   *
   * @param file made, or replaced; beside it {@code .NAME} is used meanwhile, which may be left
   *     after a crash and is no record
   * @throws IOException if that failed; the file then has the old contents or the new
   * @since 0.1.0
   */
  static void commit(Path file, byte[] contents) throws IOException {
    Path fresh = file.resolveSibling("." + file.getFileName());
    try {
      Files.write(
          fresh,
          contents,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    sync(file.resolveSibling("."));
  }

  /**
   * Brings to disk which names a directory has: what was made, renamed or removed in it survives a
   * crash only after that.
   *
   * @throws IOException if it can't be brought there, and may or may not be on disk
   * @since 0.1.0
   */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }
}
