package dev.csijava.hostpath.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.csijava.nativeio.DeviceNumber;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import dev.csijava.nativeio.OpenNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HexFormat;

/** A tree with one of all that a file system can hold. */
public final class SampleTree {
  static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456789Z");

  /** user::rwx user:1000:r-x group::r-x mask::rwx other::--- as the kernel stores it. */
  static final byte[] ACL =
      HexFormat.of()
          .parseHex(
              "02000000"
                  + "01000700ffffffff"
                  + "02000500e8030000"
                  + "04000500ffffffff"
                  + "10000700ffffffff"
                  + "20000000ffffffff");

  /** What gives a program CAP_NET_BIND_SERVICE. */
  private static final byte[] CAPABILITY =
      HexFormat.of().parseHex("0100000200040000000000000000000000000000");

  private SampleTree() {}

  static FileName name(String text) {
    return FileName.of(text);
  }

  /** Makes it; nothing is at the path. */
  public static void make(Path root) throws IOException {
    Files.createDirectory(root);
    try (OpenDirectory top = OpenDirectory.at(root)) {
      files(root, top);
      directories(root, top);
      links(top);
      specials(top);
      top.setMode(03770);
      top.setAttribute("user.root", "of the tree".getBytes(UTF_8));
      top.setTimes(LONG_AGO, LONG_AGO);
    }
  }

  private static void files(Path root, OpenDirectory top) throws IOException {
    Files.writeString(root.resolve("plain"), "plain content");
    Files.writeString(root.resolve("set-id"), "a program");
    Files.createFile(root.resolve("empty"));
    try (OpenFile file = top.file(name("set-id"), OpenFile.Access.READ)) {
      file.setOwner(1001, 1002);
      file.setMode(06755);
      file.setAttribute("security.capability", CAPABILITY);
      file.setTimes(LONG_AGO, LONG_AGO.minusNanos(1));
    }
    try (OpenFile file = top.file(name("plain"), OpenFile.Access.READ)) {
      file.setAttribute("system.posix_acl_access", ACL);
      file.setAttribute("user.colour", new byte[] {0, 1, (byte) 0xff});
      file.setAttribute("trusted.of-root", new byte[0]);
      file.setTimes(LONG_AGO, LONG_AGO.plusNanos(1));
    }
    sparse(root.resolve("sparse"), 64L << 20);
    top.makeFile(FileName.of(new byte[] {(byte) 0xff, '\n', ' ', (byte) 0x80}), 0600).close();
  }

  static void sparse(Path file, long size) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(1 << 20);
      while (block.hasRemaining()) {
        block.put((byte) 5);
      }
      int _ = channel.write(block.flip(), size / 2);
      int _ = channel.write(ByteBuffer.allocate(1), size - 1);
    }
  }

  private static void directories(Path root, OpenDirectory top) throws IOException {
    Path outer = root.resolve("outer");
    Path inner = outer.resolve("inner");
    Files.createDirectories(inner.resolve("empty"));
    Files.writeString(inner.resolve("file"), "deeper");
    for (Path one : new Path[] {inner, outer}) {
      try (OpenDirectory directory = OpenDirectory.at(one)) {
        directory.setOwner(7, 8);
        directory.setMode(02751);
        directory.setAttribute("system.posix_acl_default", ACL);
        directory.setAttribute("trusted.overlay.opaque", new byte[] {'y'});
        directory.setTimes(LONG_AGO, LONG_AGO);
      }
    }
    top.sync();
  }

  private static void links(OpenDirectory top) throws IOException {
    top.makeLink(name("valid"), "plain".getBytes(UTF_8));
    top.makeLink(name("dangling"), "no/such/place".getBytes(UTF_8));
    top.makeLink(name("absolute"), "/etc/passwd".getBytes(UTF_8));
    top.makeLink(name("loop"), "loop".getBytes(UTF_8));
    try (OpenNode link = top.entry(name("dangling"))) {
      link.setOwner(1003, 1004);
      link.setAttribute("trusted.of-the-link", new byte[] {1});
      link.setTimes(LONG_AGO, LONG_AGO);
    }
    try (OpenNode file = top.entry(name("plain"));
        OpenNode link = top.entry(name("dangling"));
        OpenDirectory outer = top.directory(name("outer"))) {
      top.addName(name("plain-2"), file);
      outer.addName(name("plain-3"), file);
      top.addName(name("dangling-2"), link);
      outer.setTimes(LONG_AGO, LONG_AGO);
    }
  }

  private static void specials(OpenDirectory top) throws IOException {
    top.makeSpecial(name("fifo"), NodeType.FIFO, 0640, new DeviceNumber(0, 0));
    top.makeSpecial(name("socket"), NodeType.SOCKET, 0600, new DeviceNumber(0, 0));
    top.makeSpecial(name("null"), NodeType.CHARACTER_DEVICE, 0666, new DeviceNumber(1, 3));
    top.makeSpecial(name("disk"), NodeType.BLOCK_DEVICE, 0660, new DeviceNumber(259, 70_000));
    try (OpenNode fifo = top.entry(name("fifo"))) {
      fifo.setTimes(LONG_AGO, LONG_AGO);
      top.addName(name("fifo-2"), fifo);
    }
  }
}
