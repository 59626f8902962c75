package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A call with an empty request, its HTTP/2 frames written by hand: it sends what no library of
 * Java's lets through, and costs its caller next to nothing.
 */
final class HandWrittenCall {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int GO_AWAY = 7;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final byte[] bytes;

  /**
   * @param method for example {@code csi.v1.Identity/Probe}
   * @param authority null to send none
   */
  HandWrittenCall(String method, @Nullable String authority) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(all, SETTINGS, 0, 0, new byte[0]);
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    header(headers, ":method", "POST");
    header(headers, ":scheme", "http");
    header(headers, ":path", "/" + method);
    if (authority != null) {
      header(headers, ":authority", authority);
    }
    header(headers, "content-type", "application/grpc");
    header(headers, "te", "trailers");
    frame(all, HEADERS, END_HEADERS, 1, headers.toByteArray());
    // An empty message: not compressed, of no bytes.
    frame(all, DATA, END_STREAM, 1, new byte[5]);
    bytes = all.toByteArray();
  }

  /** Connects, calls, closes; returns how many bytes the messages of the answer have. */
  int send(Path server) throws IOException {
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(server));
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        socket.write(out);
      }
      return dataUntilEnd(new DataInputStream(Channels.newInputStream(socket)));
    }
  }

  /** A literal without indexing and without Huffman coding. */
  private static void header(ByteArrayOutputStream to, String name, String value) {
    to.write(0);
    for (String text : new String[] {name, value}) {
      byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
      to.write(ascii.length);
      to.writeBytes(ascii);
    }
  }

  private static void frame(
      ByteArrayOutputStream to, int type, int flags, int stream, byte[] payload) {
    to.writeBytes(
        ByteBuffer.allocate(9)
            .put((byte) 0)
            .putShort((short) payload.length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .array());
    to.writeBytes(payload);
  }

  /** Reads until the stream ends well. */
  private static int dataUntilEnd(DataInputStream in) throws IOException {
    int data = 0;
    while (true) {
      int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      in.readInt();
      in.skipNBytes(length);
      assertThat(type).as("frame").isNotEqualTo(RESET).isNotEqualTo(GO_AWAY);
      if (type == DATA) {
        data += length;
      }
      if (type == HEADERS && (flags & END_STREAM) != 0) {
        return data;
      }
    }
  }
}
