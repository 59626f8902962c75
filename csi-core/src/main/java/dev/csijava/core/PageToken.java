package dev.csijava.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * Where a page of a list starts: at a driver's own token, or inside the page that this token gives,
 * behind an entry. What callers hold carries a check sum, so that a token which was never handed
 * out is told from a real one whatever the driver makes of it (rule K13). It is no secret: it keeps
 * out mistakes, and outlives restarts and other instances of the driver.
 *
 * @param driverToken what the driver is asked with; empty for its first page
 * @param lastEntry the digest of the entry that was sent last, or empty
 */
record PageToken(String driverToken, String lastEntry) {
  /** The general limit of strings. */
  private static final int LIMIT_BYTES = 128;

  private static final int DIGEST_BYTES = 6;
  private static final int DIGEST_LENGTH = 8;
  private static final char WHOLE = 'w';
  private static final char CUT = 'c';

  /** The start of a list. */
  static final PageToken START = new PageToken("", "");

  /** The page that the driver's token gives, from its first entry on. */
  static PageToken whole(String driverToken) {
    return new PageToken(driverToken, "");
  }

  /** The rest of the same page, behind an entry. */
  PageToken behind(String entryId) {
    return new PageToken(driverToken, digest(entryId));
  }

  /** Whether an entry is the one that was sent last. */
  boolean endedWith(String entryId) {
    return lastEntry.equals(digest(entryId));
  }

  /** Whether a part of the driver's page was sent already. */
  boolean isCut() {
    return !lastEntry.isEmpty();
  }

  /** Whether {@link #write} has room for it within the limit for strings. */
  boolean fits() {
    return bytes(body()) + DIGEST_LENGTH <= LIMIT_BYTES;
  }

  /** What the caller gets: a driver's long token is left as it is. */
  String write(String list) {
    return fits() ? body() + digest(list + '\0' + body()) : driverToken;
  }

  /**
   * Reads what a caller sent.
   *
   * @throws CsiException ABORTED if it was not handed out for this list
   */
  static PageToken read(String list, String token) {
    if (token.isEmpty()) {
      return START;
    }
    int end = token.length() - DIGEST_LENGTH;
    if (end > 0 && token.substring(end).equals(digest(list + '\0' + token.substring(0, end)))) {
      String body = token.substring(0, end);
      if (body.charAt(0) == WHOLE) {
        return whole(body.substring(1));
      }
      if (body.charAt(0) == CUT && body.length() > DIGEST_LENGTH) {
        return new PageToken(
            body.substring(1 + DIGEST_LENGTH), body.substring(1, 1 + DIGEST_LENGTH));
      }
    }
    if (!whole(token).fits()) {
      return whole(token);
    }
    throw CsiException.aborted(
        "starting_token was not handed out by this driver; list again without one");
  }

  private String body() {
    return isCut() ? CUT + lastEntry + driverToken : WHOLE + driverToken;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(whole, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
