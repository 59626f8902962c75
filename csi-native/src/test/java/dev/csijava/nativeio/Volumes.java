package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.exitCode;
import static dev.csijava.core.mount.MountsBelow.run;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** File systems in images, mounted below a test's directory; unmounting one ends its loop. */
final class Volumes {
  private static final long MIB = 1 << 20;

  private Volumes() {}

  static Path xfs(Path below) throws Exception {
    return made(below, "xfs", 320 * MIB, "mkfs.xfs", "-q");
  }

  static Path ext4(Path below) throws Exception {
    return made(below, "ext4", 16 * MIB, "mkfs.ext4", "-q", "-F");
  }

  private static Path made(Path below, String type, long size, String... mkfs) throws Exception {
    Path image = below.resolve(type + ".image");
    sparse(image, size);
    String[] command = Arrays.copyOf(mkfs, mkfs.length + 1);
    command[mkfs.length] = image.toString();
    assumeTrue(isThere(mkfs[0]), mkfs[0] + " is not installed");
    run(command);
    Path point = Files.createDirectory(below.resolve(type));
    int mounted =
        exitCode("mount", "-n", "-o", "loop", "-t", type, image.toString(), point.toString());
    assumeTrue(mounted == 0, "no loop device can be mounted here");
    return point;
  }

  private static boolean isThere(String program) throws Exception {
    try {
      return exitCode(program, "-V") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  static void sparse(Path file, long size) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.allocate(1), size - 1);
    }
  }
}
