package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.core.mount.VolumeUsage.Amount;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** Measures by statfs where that waits for nobody but disks, else by the programs. */
final class NativeUsageReader implements UsageReader {
  /** struct statfs of a 64-bit system, with room to spare. */
  private static final long STATFS_BYTES = 256;

  private final MountReader reader;
  private final UsageReader programs;

  NativeUsageReader(MountReader reader, UsageReader programs) {
    this.reader = reader;
    this.programs = programs;
  }

  @Override
  public VolumeUsage ofFileSystem(Path path) {
    try (Descriptor place = Descriptor.open(path, Descriptor.PATH)) {
      FileStatus status = FileStatus.of(place, reader.kindOfId());
      boolean local = reader.facts(status.mountId()).map(MountFacts::local).orElse(false);
      return local ? statfs(place) : programs.ofFileSystem(path);
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT, Errno.ENOTDIR)) {
        throw CsiException.notFound("nothing is at the volume path");
      }
      throw CsiException.internal("the file system at the volume path does not answer", e);
    } catch (IOException e) {
      throw CsiException.internal("the table of mounts can't be read; is /proc mounted?", e);
    }
  }

  /** The Java library asks the device itself; no program is needed. */
  @Override
  public VolumeUsage ofBlockDevice(Path path) {
    return programs.ofBlockDevice(path);
  }

  private static VolumeUsage statfs(Descriptor place) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(STATFS_BYTES, Long.BYTES);
      long _ = Syscalls.call(SystemCall.FSTATFS, place.number(), answer.address(), 0);
      long block = answer.get(JAVA_LONG, 72);
      long blocks = answer.get(JAVA_LONG, 16);
      Amount bytes =
          new Amount(
              times(blocks, block),
              times(answer.get(JAVA_LONG, 32), block),
              times(Math.max(0, blocks - answer.get(JAVA_LONG, 24)), block));
      long inodes = answer.get(JAVA_LONG, 40);
      long free = answer.get(JAVA_LONG, 48);
      // A file system that makes inodes as it needs them says 0.
      return new VolumeUsage(
          bytes,
          inodes == 0
              ? Optional.empty()
              : Optional.of(new Amount(inodes, free, Math.max(0, inodes - free))));
    }
  }

  private static long times(long blocks, long size) {
    return Math.multiplyHigh(blocks, size) != 0 || blocks * size < 0
        ? Long.MAX_VALUE
        : blocks * size;
  }
}
