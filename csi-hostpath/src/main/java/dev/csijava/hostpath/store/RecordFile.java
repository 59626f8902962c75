package dev.csijava.hostpath.store;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/** The file {@code record} in the folder of an object. */
final class RecordFile {
  static final String NAME = "record";
  private static final String FRESH = "record.new";

  /** In bytes. None is written that is larger, so what is larger on disk is not ours. */
  static final int LARGEST = 8 << 20;

  private RecordFile() {}

  /**
   * @throws CsiException INVALID_ARGUMENT, nothing written, if it is too large to be read back
   */
  static void write(Disk disk, Path folder, Record record) throws IOException {
    disk.write(folder.resolve(NAME), text(record));
  }

  /** All that can make a record large is what the request says, in its lists above all. */
  private static byte[] text(Record record) {
    byte[] text = RecordText.write(record);
    if (text.length > LARGEST) {
      throw CsiException.invalidArgument(
          "the request is too large to be kept: its record would have "
              + text.length
              + " bytes, and may have "
              + LARGEST);
    }
    return text;
  }

  /**
   * Puts a new record in the place of the old one: at each moment one of the two is there, whole.
   *
   * @throws CsiException as {@link #write}, and the old one is there
   * @throws IOException and the old one is there, or it could not be found out
   */
  static void replace(Disk disk, Path folder, Record record, Steps steps) throws IOException {
    byte[] text = text(record);
    Path fresh = folder.resolve(FRESH);
    // What a crash left of an earlier update.
    Files.deleteIfExists(fresh);
    try {
      disk.write(fresh, text);
      steps.reached(Steps.Step.UPDATE_WRITTEN);
      disk.rename(fresh, folder.resolve(NAME));
    } catch (IOException e) {
      removeQuietly(fresh, e);
      throw e;
    }
  }

  // Of a full disk the name of a file may be all that was written.
  private static void removeQuietly(Path fresh, IOException failure) {
    try {
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  static Record read(Path folder, Record.KindCase kind) throws IOException, BadRecordException {
    Path file = folder.resolve(NAME);
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new BadRecordException("it is not a directory");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new BadRecordException("it has no record");
    }
    return RecordText.read(bytes(file), folder.getFileName().toString(), kind);
  }

  private static byte[] bytes(Path file) throws IOException, BadRecordException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      long size = channel.size();
      if (size > LARGEST) {
        throw new BadRecordException("its record is too large");
      }
      ByteBuffer content = ByteBuffer.allocate((int) size);
      while (content.hasRemaining() && channel.read(content) >= 0) {
        // Until all of it is there.
      }
      return Arrays.copyOf(content.array(), content.position());
    }
  }
}
