package dev.csijava.hostpath.request;

import dev.csijava.core.CsiException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;

/**
 * The token between two pages: the last id of the page and a checksum, so that what was never
 * handed out is told from the id of something that is deleted meanwhile (rule K13).
 */
final class PageToken {
  private PageToken() {}

  static String of(String list, String lastId) {
    byte[] id = lastId.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + id.length);
    bytes.putInt(checksum(list, id)).put(id);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * @throws CsiException ABORTED for what {@link #of} did not make for this list
   */
  static String lastId(String list, String token) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
      if (bytes.remaining() > Integer.BYTES) {
        int sum = bytes.getInt();
        byte[] id = new byte[bytes.remaining()];
        bytes.get(id);
        if (sum == checksum(list, id)) {
          return new String(id, StandardCharsets.UTF_8);
        }
      }
    } catch (IllegalArgumentException e) {
      // Not even the alphabet of a token: answered below.
    }
    throw CsiException.aborted(
        "starting_token was not handed out by this driver; list again without one");
  }

  private static int checksum(String list, byte[] id) {
    CRC32 crc = new CRC32();
    crc.update(list.getBytes(StandardCharsets.UTF_8));
    crc.update(0);
    crc.update(id);
    return (int) crc.getValue();
  }
}
