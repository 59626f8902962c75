package dev.csijava.examples.memory;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;

/**
 * One volume.
 *
 * @param request the normalised request that it was made from
 * @param message what callers are told of it
 */
record MemoryVolume(CreateVolumeRequest request, Volume message) {
  /** Random, and made by us: fit for the name of a file. */
  String id() {
    return message.getVolumeId();
  }

  long sizeBytes() {
    return message.getCapacityBytes();
  }

  MemoryVolume withSize(long bytes) {
    return new MemoryVolume(request, message.toBuilder().setCapacityBytes(bytes).build());
  }
}
