package dev.csijava.hostpath.capacity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts as Kubernetes writes them: a decimal number with one of the suffixes n u m k M G T P E,
 * Ki Mi Gi Ti Pi Ei, or a decimal exponent.
 */
public final class Quantity {
  // Bounded digits, so that no text makes a number of a size that matters.
  private static final Pattern SYNTAX =
      Pattern.compile(
          "([+-]?(?:[0-9]{1,40}(?:\\.[0-9]{0,40})?|\\.[0-9]{1,40}))"
              + "(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]{1,3}))?");
  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", BigDecimal.valueOf(1, 9)),
          Map.entry("u", BigDecimal.valueOf(1, 6)),
          Map.entry("m", BigDecimal.valueOf(1, 3)),
          Map.entry("k", BigDecimal.TEN.pow(3)),
          Map.entry("M", BigDecimal.TEN.pow(6)),
          Map.entry("G", BigDecimal.TEN.pow(9)),
          Map.entry("T", BigDecimal.TEN.pow(12)),
          Map.entry("P", BigDecimal.TEN.pow(15)),
          Map.entry("E", BigDecimal.TEN.pow(18)),
          Map.entry("Ki", power(10)),
          Map.entry("Mi", power(20)),
          Map.entry("Gi", power(30)),
          Map.entry("Ti", power(40)),
          Map.entry("Pi", power(50)),
          Map.entry("Ei", power(60)));

  private Quantity() {}

  private static BigDecimal power(int exponent) {
    return new BigDecimal(BigInteger.TWO.pow(exponent));
  }

  /**
   * The amount in whole bytes, a fraction rounded up.
   *
   * @throws IllegalArgumentException with a sentence, if it is none, is negative or has more than
   *     63 bits
   */
  public static long bytes(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no amount; write a number with a suffix, for example 10Gi");
    }
    BigDecimal value = new BigDecimal(matcher.group(1));
    if (matcher.group(2) != null) {
      value = value.multiply(SUFFIXES.getOrDefault(matcher.group(2), BigDecimal.ONE));
    } else if (matcher.group(3) != null) {
      value = value.scaleByPowerOfTen(Integer.parseInt(matcher.group(3)));
    }
    if (value.signum() < 0 || value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "the amount '" + text + "' must lie between 0 and " + Long.MAX_VALUE + " bytes");
    }
    return value.setScale(0, RoundingMode.CEILING).longValueExact();
  }
}
