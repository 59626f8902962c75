package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.capacity.Promises;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a storage class. {@code kind} is judged here, {@code backing} by {@link
 * dev.csijava.hostpath.backing.BackingChoice}; any other is accepted and handed back in the
 * volume_context, as the Go driver does.
 */
final class VolumeParameters {
  private static final String KIND = "kind";

  private VolumeParameters() {}

  /** The kind of capacity that is asked for; empty for any. */
  static String kind(Map<String, String> parameters) {
    return parameters.getOrDefault(KIND, "");
  }

  /** Why no volume can be made with these parameters, or empty if one can. */
  static Optional<String> refusal(Map<String, String> parameters, Promises promises) {
    if (parameters.containsKey(KIND) && !promises.areCounted()) {
      return Optional.of("parameter kind: this driver was started without capacities of a kind");
    }
    return Optional.empty();
  }

  /**
   * @throws CsiException INVALID_ARGUMENT
   */
  static void require(Map<String, String> parameters, Promises promises) {
    refusal(parameters, promises)
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument(why);
            });
  }
}
