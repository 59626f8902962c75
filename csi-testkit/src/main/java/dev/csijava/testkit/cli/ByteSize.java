package dev.csijava.testkit.cli;

import java.util.Map;
import java.util.TreeMap;

/** Sizes as people write them: 1Gi, 500M, 4096. */
final class ByteSize {
  private static final Map<String, Long> UNITS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("", 1L),
              Map.entry("k", 1_000L),
              Map.entry("M", 1_000_000L),
              Map.entry("G", 1_000_000_000L),
              Map.entry("T", 1_000_000_000_000L),
              Map.entry("Ki", 1L << 10),
              Map.entry("Mi", 1L << 20),
              Map.entry("Gi", 1L << 30),
              Map.entry("Ti", 1L << 40)));

  private ByteSize() {}

  /**
   * The number of bytes.
   *
   * @throws IllegalArgumentException if the text is no size
   */
  static long parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    Long unit = UNITS.get(text.substring(digits));
    try {
      if (digits > 0 && unit != null) {
        return Math.multiplyExact(Long.parseLong(text.substring(0, digits)), unit);
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("the size '" + text + "' is too large", e);
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no size; write bytes, or a number with " + UNITS.keySet());
  }
}
