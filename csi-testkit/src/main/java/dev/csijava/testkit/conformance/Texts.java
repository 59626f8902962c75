package dev.csijava.testkit.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts at the limits of what the specification lets a caller send. */
final class Texts {
  /** What a name may hold: everything but the banned control characters. */
  static final List<String> ALLOWED =
      List.of(
          "/slash/../dots",
          " spaces ",
          "\ttab",
          "\nline\rfeed",
          "\u00fcml\u00e4ut",
          "\u540d\u524d",
          "\ud83d\udcbe",
          "'\"$(x)`y`;&|<>*?[]{}~#%\\",
          "..",
          "-");

  /** One of each run of the control characters that no name may hold. */
  static final List<String> BANNED =
      List.of(
          "\u0000", "\u0001", "\u0008", "\u000b", "\u000c", "\u000e", "\u001f", "\u007f", "\u0080",
          "\u0085", "\u009f");

  /**
   * Ids that no driver gives. Whatever directory of its own a driver appends one to, it does not
   * lead to something that is there: a driver which removes what it leads to does no harm.
   */
  static final List<String> ODD_IDS =
      List.of("../../csi-testkit-no-such", "/csi-testkit-no-such", "\u00fc", " ");

  private static final int LONGEST = 128;

  private Texts() {}

  /** The text, filled up to so many bytes. */
  static String filled(String text, int bytes) {
    return text + "x".repeat(Math.max(0, bytes - bytes(text)));
  }

  /** The text filled up to so many bytes with letters of two bytes. */
  static String filledWithUmlauts(String text, int bytes) {
    String filled = text + "\u00fc".repeat((bytes - bytes(text)) / 2);
    return filled(filled, bytes);
  }

  /** The text, which must fit into 128 bytes; its beginning is cut if it does not. */
  static String fitted(String text) {
    String fitted = text;
    while (bytes(fitted) > LONGEST) {
      fitted = fitted.substring(fitted.offsetByCodePoints(0, 1));
    }
    return fitted;
  }

  static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
