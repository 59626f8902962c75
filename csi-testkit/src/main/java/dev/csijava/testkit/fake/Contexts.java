package dev.csijava.testkit.fake;

import java.util.Map;
import java.util.stream.Collectors;

/** The volume_context, which callers carry about and Kubernetes adds keys to. */
final class Contexts {
  private Contexts() {}

  /** INVALID_ARGUMENT if a context was given that is not the volume's. */
  static void check(FakeVolume volume, Map<String, String> given) {
    if (!matches(volume, given)) {
      throw Failure.invalid("volume_context is not the one of volume " + volume.id);
    }
  }

  static boolean matches(FakeVolume volume, Map<String, String> given) {
    Map<String, String> own =
        given.entrySet().stream()
            .filter(entry -> !addedByKubernetes(entry.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return own.isEmpty() || own.equals(volume.context);
  }

  private static boolean addedByKubernetes(String key) {
    return key.startsWith("csi.storage.k8s.io/") || key.startsWith("storage.kubernetes.io/");
  }
}
