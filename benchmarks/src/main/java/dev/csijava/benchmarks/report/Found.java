package dev.csijava.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Looks figures up for the targets. */
record Found(List<Figure> figures) {
  /** The median of a figure, by the name of its method and some of its parameters. */
  OptionalDouble median(String question, String method, Map<String, String> params) {
    return matching(question, method, params).findFirst().stream()
        .mapToDouble(Figure::median)
        .findFirst();
  }

  /** Bytes an operation. */
  OptionalDouble allocated(String question, String method, Map<String, String> params) {
    return matching(question, method, params)
        .filter(figure -> figure.allocated() >= 0)
        .findFirst()
        .stream()
        .mapToDouble(Figure::allocated)
        .findFirst();
  }

  /** The one with the largest value of a parameter that is a number. */
  Optional<Figure> largest(
      String question, String method, Map<String, String> params, String number) {
    return matching(question, method, params).max(by(number));
  }

  /** The one with the smallest value of a parameter that is a number. */
  Optional<Figure> smallest(
      String question, String method, Map<String, String> params, String number) {
    return matching(question, method, params).min(by(number));
  }

  private static Comparator<Figure> by(String number) {
    return Comparator.comparingLong(figure -> Long.parseLong(figure.params().get(number)));
  }

  private Stream<Figure> matching(String question, String method, Map<String, String> params) {
    return figures.stream()
        .filter(figure -> figure.question().equals(question) && figure.method().equals(method))
        .filter(figure -> figure.params().entrySet().containsAll(params.entrySet()));
  }
}
