package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
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
   * Why a volume that exists has not these parameters, or empty if it has. Those of one that was
   * taken over are not known. At most 128 bytes.
   */
  static Optional<String> refusal(Record volume, Map<String, String> given) {
    VolumeDetails details = volume.getVolume();
    boolean other =
        details.hasRequest()
            && !details
                .getRequest()
                .getParametersMap()
                .entrySet()
                .containsAll(KubernetesKeys.withoutReserved(given).entrySet());
    return other
        ? Optional.of("parameters: the volume was made with other ones")
        : Optional.empty();
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
