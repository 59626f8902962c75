package dev.csijava.hostpath.backing;

import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import dev.csijava.spec.v1.VolumeHealthErrorType;

/**
 * One thing that is wrong with a volume.
 *
 * @param status how bad it is
 * @param reason one word in CamelCase, for programs
 * @param message a sentence, for people
 */
public record VolumeFault(VolumeHealthErrorType status, String reason, String message) {
  /** As the answers of CSI 1.13 have it. */
  public VolumeHealthEntry toMessage() {
    return VolumeHealthEntry.newBuilder()
        .setStatus(status)
        .setReason(reason)
        .setMessage(message)
        .build();
  }
}
