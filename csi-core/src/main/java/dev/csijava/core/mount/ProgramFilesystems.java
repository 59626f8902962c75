package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.ProbeResult.Blank;
import dev.csijava.core.mount.ProbeResult.Found;
import dev.csijava.core.mount.ProbeResult.Unknown;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** File systems by the programs of util-linux, e2fsprogs and xfsprogs; none is ever forced. */
final class ProgramFilesystems implements Filesystems {
  /** Wide enough for every signature that is at a fixed place. */
  private static final int LOOKED_AT_BYTES = 1 << 20;

  /** blkid: nothing was found, or it could not be read. */
  private static final int NOTHING_FOUND = 2;

  /** e2fsck: errors were corrected. */
  private static final int MENDED = 1;

  private final ProgramRunner programs;
  private final Duration deadline;
  private final Semaphore making;

  ProgramFilesystems(ProgramRunner programs, Duration deadline, int mostAtOnce) {
    this.programs = programs;
    this.deadline = deadline;
    this.making = new Semaphore(mostAtOnce, true);
  }

  @Override
  public ProbeResult probe(Path device) {
    ProgramCommand command =
        ProgramCommand.of("blkid", "-p", "-o", "export", "--", RawPaths.argument(device));
    ProgramResult result;
    try {
      result = programs.run(command, deadline);
    } catch (IOException e) {
      return new Unknown("blkid can't be run: " + e.getMessage());
    }
    if (result.succeeded()) {
      return found(result.stdout());
    }
    if (result.exitCode() != NOTHING_FOUND
        || !result.stdout().isBlank()
        || !result.stderr().isBlank()) {
      return new Unknown(result.words(command));
    }
    // The same answer stands for "can't be read", so it is no proof yet.
    return zeros(device);
  }

  private static ProbeResult found(String export) {
    Map<String, String> values = new HashMap<>();
    for (String line : export.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    String type = values.getOrDefault("TYPE", "");
    if (type.isEmpty() || !values.getOrDefault("USAGE", "").equals("filesystem")) {
      return new Unknown(
          "it holds "
              + values.getOrDefault("PTTYPE", type.isEmpty() ? "something" : type)
              + ", which is no file system");
    }
    return new Found(type, values.getOrDefault("UUID", ""));
  }

  private static ProbeResult zeros(Path device) {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size == 0) {
        return new Unknown("it has no size");
      }
      boolean zeros =
          zeros(channel, 0, size) && zeros(channel, Math.max(0, size - LOOKED_AT_BYTES), size);
      return zeros ? new Blank() : new Unknown("it holds data of a kind that is not known");
    } catch (IOException e) {
      return new Unknown("it can't be read: " + e.getMessage());
    }
  }

  private static boolean zeros(FileChannel channel, long from, long size) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(LOOKED_AT_BYTES, size - from));
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new IOException("it ends too early");
      }
    }
    for (byte value : buffer.array()) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void make(Path device, FileSystemType type, boolean neverFormatted) {
    if (!neverFormatted) {
      throw CsiException.failedPrecondition(
          "the volume was formatted before, so its device is never formatted again");
    }
    making.acquireUninterruptibly();
    try {
      ProbeResult there = probe(device);
      if (!(there instanceof Blank)) {
        throw CsiException.failedPrecondition("the device is not blank: " + words(there));
      }
      String path = RawPaths.argument(device);
      run(
          switch (type) {
            // All of it is the volume's: no share is kept back for root.
            case EXT4 -> ProgramCommand.of("mkfs.ext4", "-q", "-m", "0", "--", path);
            case XFS -> ProgramCommand.of("mkfs.xfs", "-q", "--", path);
          });
    } finally {
      making.release();
    }
    ProbeResult made = probe(device);
    if (!(made instanceof Found found) || !found.typeName().equals(type.typeName())) {
      throw CsiException.internal(
          "mkfs reported success, but the device is something else: " + words(made), null);
    }
  }

  private static String words(ProbeResult result) {
    if (result instanceof Found found) {
      return "it has the file system " + found.typeName();
    }
    return result instanceof Unknown unknown ? unknown.reason() : "it is blank";
  }

  @Override
  public void check(Path device, FileSystemType type) {
    if (type == FileSystemType.EXT4) {
      e2fsck(ProgramCommand.of("e2fsck", "-p"), device);
    }
  }

  private void e2fsck(ProgramCommand options, Path device) {
    ProgramCommand command = options.with("--", RawPaths.argument(device));
    ProgramResult result = attempt(command);
    if (result.timedOut()) {
      throw failure(command, result);
    }
    if (result.exitCode() > MENDED) {
      throw CsiException.internal(
          "the file system has errors that are not mended without loss: " + result.words(command),
          null);
    }
  }

  @Override
  public void grow(Path device, Path mountPoint, FileSystemType type) {
    ProgramCommand command =
        switch (type) {
          case EXT4 -> ProgramCommand.of("resize2fs", RawPaths.argument(device));
          case XFS -> ProgramCommand.of("xfs_growfs", "-d", RawPaths.argument(mountPoint));
        };
    ProgramResult result = attempt(command);
    if (result.stderr().contains("Permission denied to resize")) {
      throw CsiException.internal(
          result.words(command) + "; give the driver CAP_SYS_RESOURCE", null);
    }
    if (!result.succeeded()) {
      throw failure(command, result);
    }
  }

  @Override
  public void growUnmounted(Path device, FileSystemType type) {
    if (type == FileSystemType.EXT4) {
      e2fsck(ProgramCommand.of("e2fsck", "-f", "-p"), device);
      run(ProgramCommand.of("resize2fs", RawPaths.argument(device)));
    }
  }

  @Override
  public void renewUuid(Path device, FileSystemType type) {
    String path = RawPaths.argument(device);
    if (type == FileSystemType.EXT4) {
      // It replays the journal, and tune2fs wants a fresh check: each checksum hangs on the UUID.
      e2fsck(ProgramCommand.of("e2fsck", "-f", "-p"), device);
      run(ProgramCommand.of("tune2fs", "-U", "random", path));
      return;
    }
    ProgramCommand command = ProgramCommand.of("xfs_admin", "-U", "generate", path);
    ProgramResult result = attempt(command);
    // The program wraps its lines, and reports success all the same.
    String words = (result.stdout() + result.stderr()).replaceAll("\\s+", " ");
    if (words.contains("needs to be replayed")) {
      throw CsiException.failedPrecondition(
          "the log of the xfs has to be replayed first: mount it once with nouuid");
    }
    if (!result.succeeded()) {
      throw failure(command, result);
    }
  }

  private void run(ProgramCommand command) {
    ProgramResult result = attempt(command);
    if (!result.succeeded()) {
      throw failure(command, result);
    }
  }

  /** What a program that can't even be killed still does is not known. */
  private static CsiException failure(ProgramCommand command, ProgramResult result) {
    return result.stillRunning()
        ? CsiException.unavailable(result.words(command), null)
        : CsiException.internal(result.words(command), null);
  }

  private ProgramResult attempt(ProgramCommand command) {
    try {
      return programs.run(command, deadline);
    } catch (IOException e) {
      throw CsiException.internal(command.program() + " can't be run: " + e.getMessage(), e);
    }
  }
}
