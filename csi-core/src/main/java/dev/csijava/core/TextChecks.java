package dev.csijava.core;

/** What can be told of one text alone. Nothing here allocates for a text that is fine. */
final class TextChecks {
  private static final int LONGEST_ECHO = 200;

  private TextChecks() {}

  /** The text's length in UTF-8, in bytes; an unpaired surrogate counts as three. */
  static long utf8Length(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x800) {
        bytes += 2;
        if (Character.isHighSurrogate(c)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1))) {
          // two chars, four bytes
          i++;
        }
      } else if (c >= 0x80) {
        bytes++;
      }
    }
    return bytes;
  }

  /** Whether the text needs more bytes in UTF-8; short texts are told without counting. */
  static boolean longerThan(int bytes, String text) {
    return text.length() * 3L > bytes && utf8Length(text) > bytes;
  }

  /** Whether the text holds a control character that the specification bans from names. */
  static boolean hasBannedControlCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean blank = c == '\t' || c == '\n' || c == '\r';
      if ((c < ' ' && !blank) || (c >= 0x7f && c <= 0x9f)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a component of the path is {@code .} or {@code ..}. */
  static boolean hasDotComponent(String path) {
    int start = 0;
    while (start <= path.length()) {
      int end = path.indexOf('/', start);
      if (end < 0) {
        end = path.length();
      }
      int length = end - start;
      boolean dot = length > 0 && path.charAt(start) == '.';
      if (dot && (length == 1 || (length == 2 && path.charAt(start + 1) == '.'))) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  /** Whether the path is nothing but slashes: the root directory. */
  static boolean isRoot(String path) {
    for (int i = 0; i < path.length(); i++) {
      if (path.charAt(i) != '/') {
        return false;
      }
    }
    return !path.isEmpty();
  }

  /** The text in quotes with a blank before it, for a sentence; nothing if long or unprintable. */
  static String echo(String text) {
    if (text.length() > LONGEST_ECHO) {
      return "";
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean printable = (c >= ' ' && c < 0x7f) || Character.isLetterOrDigit(c);
      if (!printable) {
        return "";
      }
    }
    return " \"" + text + "\"";
  }
}
