package dev.csijava.hostpath.request;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import java.util.Map;

/** The volume_context of a request beside that of the record. */
public final class VolumeContexts {
  private VolumeContexts() {}

  /**
   * Refuses the context of another volume. What Kubernetes adds does not count, a volume that
   * somebody described by hand may come without any, and of one that was taken over from another
   * driver it is not known.
   *
   * @throws CsiException INVALID_ARGUMENT
   */
  public static void requireOwn(Record volume, Map<String, String> given) {
    Map<String, String> own = KubernetesKeys.withoutReserved(given);
    if (!own.isEmpty()
        && !isTakenOver(volume)
        && !own.equals(KubernetesKeys.withoutReserved(volume.getVolume().getContextMap()))) {
      throw CsiException.invalidArgument("volume_context is not the one of this volume");
    }
  }

  private static boolean isTakenOver(Record volume) {
    VolumeDetails details = volume.getVolume();
    return !details.hasRequest() && !details.hasInline() && details.getContextCount() == 0;
  }
}
