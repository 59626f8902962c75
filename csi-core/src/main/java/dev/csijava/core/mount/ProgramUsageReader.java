package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.VolumeUsage.Amount;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/** One run of stat(1) gives bytes and inodes of the same moment. */
final class ProgramUsageReader implements UsageReader {
  /** Block size, then total, free and available blocks, then total and free inodes. */
  private static final String FORMAT = "%S %b %f %a %c %d";

  private static final int NUMBERS = 6;
  private static final int TYPE_MASK = 0170000;
  private static final int BLOCK_DEVICE = 0060000;

  private final ProgramRunner programs;
  private final Duration deadline;

  ProgramUsageReader(ProgramRunner programs, Duration deadline) {
    this.programs = programs;
    this.deadline = deadline;
  }

  @Override
  public VolumeUsage ofFileSystem(Path path) {
    ProgramCommand command =
        ProgramCommand.of("stat", "-f", "-c", FORMAT, "--", RawPaths.argument(path));
    ProgramResult result;
    try {
      result = programs.run(command, deadline);
    } catch (IOException e) {
      return bytesOnly(path);
    }
    if (result.succeeded()) {
      return parse(result.stdout());
    }
    if (result.stderr().contains("No such file or directory")) {
      throw CsiException.notFound("nothing is at the volume path");
    }
    throw CsiException.internal(result.words(command), null);
  }

  @Override
  public VolumeUsage ofBlockDevice(Path path) {
    try {
      if (!(Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS)
              instanceof Integer mode)
          || (mode & TYPE_MASK) != BLOCK_DEVICE) {
        throw CsiException.failedPrecondition("there is no block device at the volume path");
      }
      try (FileChannel device =
          FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        return VolumeUsage.ofBlock(device.size());
      }
    } catch (NoSuchFileException e) {
      throw CsiException.notFound("nothing is at the volume path");
    } catch (IOException e) {
      throw CsiException.internal("the block device at the volume path does not answer", e);
    }
  }

  private static VolumeUsage parse(String line) {
    String[] words = line.strip().split(" ", -1);
    long[] numbers = new long[NUMBERS];
    try {
      for (int i = 0; i < NUMBERS; i++) {
        long number = Long.parseUnsignedLong(words[i]);
        numbers[i] = number < 0 ? Long.MAX_VALUE : number;
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw CsiException.internal("stat answered in a form that is not known", e);
    }
    long block = numbers[0];
    Amount bytes =
        new Amount(
            times(numbers[1], block),
            times(numbers[3], block),
            times(Math.max(0, numbers[1] - numbers[2]), block));
    // A file system that makes inodes as it needs them says 0.
    Optional<Amount> inodes =
        numbers[4] == 0
            ? Optional.empty()
            : Optional.of(new Amount(numbers[4], numbers[5], Math.max(0, numbers[4] - numbers[5])));
    return new VolumeUsage(bytes, inodes);
  }

  /** Some network file systems claim more than a long can count. */
  private static long times(long blocks, long size) {
    long high = Math.multiplyHigh(blocks, size);
    long low = blocks * size;
    return high != 0 || low < 0 ? Long.MAX_VALUE : low;
  }

  /** By statvfs alone: a file store looks for its mount, which a chroot may not show. */
  private static VolumeUsage bytesOnly(Path path) {
    if (!Files.exists(path)) {
      throw CsiException.notFound("nothing is at the volume path");
    }
    File file = path.toFile();
    long total = file.getTotalSpace();
    if (total == 0) {
      throw CsiException.internal("the file system at the volume path does not answer", null);
    }
    return new VolumeUsage(
        new Amount(total, file.getUsableSpace(), Math.max(0, total - file.getFreeSpace())),
        Optional.empty());
  }
}
