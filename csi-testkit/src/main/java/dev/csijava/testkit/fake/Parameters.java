package dev.csijava.testkit.fake;

import java.util.Map;
import java.util.regex.Pattern;

/** Which parameters are accepted. */
final class Parameters {
  private Parameters() {}

  static void check(FakeSettings settings, Map<String, String> given) {
    settings.parameters.ifPresent(
        known -> {
          if (!known.containsAll(given.keySet())) {
            throw Failure.invalid("a parameter is not among " + known);
          }
        });
  }

  static void checkMutable(FakeSettings settings, Map<String, String> given) {
    given.forEach(
        (key, value) -> {
          Pattern pattern = settings.mutableParameters.get(key);
          if (pattern == null || !pattern.matcher(value).matches()) {
            throw Failure.invalid(
                "a mutable parameter or its value is none of " + settings.mutableParameters);
          }
        });
  }
}
