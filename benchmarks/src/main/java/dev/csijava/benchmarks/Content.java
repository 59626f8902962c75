package dev.csijava.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** What volumes hold in these benchmarks: bytes that no program can squeeze. */
final class Content {
  private static final int MIB = 1 << 20;
  private static final int FILE_MIB = 16;
  private static final int HOLES_OF_A_HUNDRED = 99;

  private Content() {}

  /** One file, all of it data. */
  static void file(Path file, long bytes) throws IOException {
    write(file, bytes, MIB);
  }

  /** One file of which every hundredth mebibyte is data and the rest holes. */
  static void withHoles(Path file, long bytes) throws IOException {
    write(file, bytes, (HOLES_OF_A_HUNDRED + 1L) * MIB);
  }

  /** A directory with files of 16 MiB and a thousand small ones. */
  static void tree(Path directory, long bytes) throws IOException {
    Files.createDirectory(directory);
    for (long at = 0; at < bytes; at += (long) FILE_MIB * MIB) {
      file(directory.resolve("large-" + at), Math.min(bytes - at, (long) FILE_MIB * MIB));
    }
    Path small = Files.createDirectory(directory.resolve("small"));
    for (int i = 0; i < 1000; i++) {
      Files.writeString(small.resolve("file-" + i), "small " + i);
    }
  }

  /** Changes one block of 4 KiB in each so many bytes. */
  static void change(Path file, long bytes, long every) throws IOException {
    byte[] block = new byte[4096];
    Random random = new Random(2);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += every) {
        random.nextBytes(block);
        channel.write(ByteBuffer.wrap(block), at);
      }
      channel.force(true);
    }
  }

  private static void write(Path file, long bytes, long step) throws IOException {
    byte[] piece = new byte[MIB];
    Random random = new Random(bytes);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += step) {
        random.nextBytes(piece);
        channel.write(ByteBuffer.wrap(piece), at);
      }
      // The last byte gives a file that ends with a hole its size.
      channel.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
      channel.force(true);
    }
  }
}
