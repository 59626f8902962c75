package dev.csijava.hostpath.blocks;

import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** A sparse file that is written to, zeroed and punched at random. */
record RandomVolume(Path path, long size, Random random) {
  static RandomVolume make(Path path, long size, Random random) throws IOException {
    try (OpenDirectory folder = OpenDirectory.parentOf(path);
        OpenFile file = folder.makeFile(FileName.last(path), 0600)) {
      file.setSize(size);
    }
    return new RandomVolume(path, size, random);
  }

  /** Does so many random things to it. */
  void change(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      long length = 1L + random.nextInt(random.nextBoolean() ? 300 : 100_000);
      long at = random.nextLong(size);
      if (random.nextBoolean()) {
        at -= at % 4096;
      }
      change(at, Math.min(length, size - at));
    }
  }

  private void change(long at, long length) throws IOException {
    switch (random.nextInt(6)) {
      case 0 -> write(at, new byte[Math.toIntExact(length)]);
      case 1 -> unlessImpossible(file -> file.punchHole(at, length));
      case 2 -> unlessImpossible(file -> file.zeroRange(at, length));
      case 3 -> unlessImpossible(file -> file.allocate(at, length));
      default -> {
        byte[] bytes = new byte[Math.toIntExact(length)];
        random.nextBytes(bytes);
        write(at, bytes);
      }
    }
  }

  private void write(long at, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(bytes), at);
    }
  }

  private interface Change {
    void make(OpenFile file) throws LinuxException;
  }

  private void unlessImpossible(Change change) throws IOException {
    try (OpenDirectory folder = OpenDirectory.parentOf(path);
        OpenFile file = folder.file(FileName.last(path), OpenFile.Access.READ_WRITE)) {
      change.make(file);
    } catch (LinuxException e) {
      if (!e.is(Errno.EOPNOTSUPP)) {
        throw e;
      }
    }
  }
}
