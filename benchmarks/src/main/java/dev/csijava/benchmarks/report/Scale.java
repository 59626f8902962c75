package dev.csijava.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Where values lie on an axis: by their size, or by its logarithm where they differ much. */
record Scale(double low, double high, boolean logarithmic, double length) {
  private static final double MUCH = 30;
  private static final double[] STEPS = {1, 2, 5, 10};

  /** Fits values that are positive, or nearly so. */
  static Scale of(Collection<Double> values, double length) {
    double least =
        values.stream().filter(value -> value > 0).mapToDouble(value -> value).min().orElse(1);
    double most = values.stream().mapToDouble(value -> value).max().orElse(1);
    if (most > MUCH * least) {
      return new Scale(
          Math.pow(10, Math.floor(Math.log10(least))),
          Math.pow(10, Math.ceil(Math.log10(most))),
          true,
          length);
    }
    return new Scale(0, most > 0 ? most * 1.05 : 1, false, length);
  }

  double at(double value) {
    if (!logarithmic) {
      return Math.clamp((value - low) / (high - low), 0, 1) * length;
    }
    double part = (Math.log10(Math.max(value, low)) - Math.log10(low)) / decades();
    return Math.clamp(part, 0, 1) * length;
  }

  private double decades() {
    return Math.max(1, Math.log10(high) - Math.log10(low));
  }

  /** Round values along the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = low; tick <= high * 1.01; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
    double rough = (high - low) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power;
    for (double factor : STEPS) {
      step = factor * power;
      if (step >= rough) {
        break;
      }
    }
    for (double tick = 0; tick <= high; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }
}
