package dev.csijava.testkit.load;

import java.util.Locale;

/** Durations and ratios for people. */
final class Times {
  private static final double THOUSAND = 1000;

  private Times() {}

  /** Three digits and a unit: 731 ns, 1.23 ms, 45.6 s. */
  static String text(double nanos) {
    double value = nanos;
    String[] units = {"ns", "us", "ms", "s"};
    int unit = 0;
    while (value >= THOUSAND && unit < units.length - 1) {
      value /= THOUSAND;
      unit++;
    }
    String format = value >= 100 || unit == 0 ? "%.0f %s" : value >= 10 ? "%.1f %s" : "%.2f %s";
    return String.format(Locale.ROOT, format, value, units[unit]);
  }

  /** A bound of the histogram, which has one digit: 500 us, 2 ms. */
  static String bound(long nanos) {
    return text((double) nanos).replace(".00", "").replace(".0", "");
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  static String rate(double perSecond) {
    return String.format(Locale.ROOT, "%.1f", perSecond);
  }
}
