package dev.csijava.benchmarks.report;

import java.util.Locale;

/** Numbers for people: three digits that count. */
final class Numbers {
  private static final double MILLION = 1e6;
  private static final double HUNDRED = 100;
  private static final double TEN = 10;

  private Numbers() {}

  static String of(double value) {
    double size = Math.abs(value);
    if (size >= HUNDRED && size < MILLION) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= MILLION) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    return String.format(Locale.ROOT, size >= TEN ? "%.1f" : "%.2f", value);
  }

  /** With the unit as people say it. */
  static String of(double value, String unit) {
    return of(value) + " " + unit(unit);
  }

  static String unit(String unit) {
    return unit.endsWith("/op") ? unit.substring(0, unit.length() - "/op".length()) : unit;
  }
}
