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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A caller that writes its HTTP/2 frames by hand, with an authority that no library of Java's lets
 * through: callers in other languages send none, an empty one or a path over a Unix socket.
 */
@Timeout(30)
class RawAuthorityTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int GO_AWAY = 7;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final String MISSING = "(none)";

  @ParameterizedTest
  @ValueSource(strings = {MISSING, "", "localhost", "/run/csi/csi.sock", "unix:%2Frun%2Fcsi.sock"})
  void b159ACallIsAnsweredWhateverItsAuthority(String authority) throws IOException {
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build());
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(served.socket()));
      socket.write(ByteBuffer.wrap(request(authority)));
      assertThat(dataUntilEnd(new DataInputStream(Channels.newInputStream(socket))))
          .as("bytes of the answer")
          .isGreaterThan(5);
    }
  }

  private static byte[] request(String authority) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(bytes, SETTINGS, 0, 0, new byte[0]);
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    header(headers, ":method", "POST");
    header(headers, ":scheme", "http");
    header(headers, ":path", "/csi.v1.Identity/GetPluginInfo");
    if (!authority.equals(MISSING)) {
      header(headers, ":authority", authority);
    }
    header(headers, "content-type", "application/grpc");
    header(headers, "te", "trailers");
    frame(bytes, HEADERS, END_HEADERS, 1, headers.toByteArray());
    // An empty message: not compressed, of no bytes.
    frame(bytes, DATA, END_STREAM, 1, new byte[5]);
    return bytes.toByteArray();
  }

  /** A literal without indexing and without Huffman coding. */
  private static void header(ByteArrayOutputStream to, String name, String value) {
    to.write(0);
    for (String text : new String[] {name, value}) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      to.write(bytes.length);
      to.writeBytes(bytes);
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

  /** Reads until the stream ends well and counts the bytes of its messages. */
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
