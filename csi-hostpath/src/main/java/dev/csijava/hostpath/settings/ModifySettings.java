package dev.csijava.hostpath.settings;

import dev.csijava.core.kubelet.KubernetesKeys;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which attributes of volumes can be changed. Immutable.
 *
 * @param enabled whether ControllerModifyVolume is served
 * @param acceptedNames the keys that are accepted; empty if any is
 */
public record ModifySettings(boolean enabled, Optional<Set<String>> acceptedNames) {
  /** None can. */
  public static final ModifySettings DEFAULTS = new ModifySettings(false, Optional.empty());

  /** Copies. */
  public ModifySettings {
    acceptedNames = acceptedNames.map(Set::copyOf);
  }

  /**
   * Why these mutable parameters can't be had, or empty if they can. Keys that Kubernetes adds are
   * nobody's to refuse.
   */
  public Optional<String> refusal(Map<String, String> parameters) {
    if (parameters.isEmpty()) {
      return Optional.empty();
    }
    if (!enabled) {
      return Optional.of("mutable_parameters: volumes have no attributes that can be changed");
    }
    return KubernetesKeys.withoutReserved(parameters).keySet().stream()
        .filter(key -> !acceptedNames.map(names -> names.contains(key)).orElse(true))
        .sorted()
        .findFirst()
        .map(key -> "mutable_parameters: there is no attribute of the name " + cut(key));
  }

  // A message of ValidateVolumeCapabilities has 128 bytes at most.
  private static String cut(String key) {
    String ascii = key.replaceAll("[^\\x20-\\x7e]", "?");
    return ascii.length() <= MOST ? ascii : ascii.substring(0, MOST) + "...";
  }

  private static final int MOST = 64;
}
