package dev.csijava.examples.network;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.util.regex.Pattern;

/**
 * One volume.
 *
 * @param id random, and the name of its folder on the export
 * @param request the normalised request that it was made from
 * @param sizeBytes what was promised
 */
record NetworkVolume(String id, CreateVolumeRequest request, long sizeBytes) {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"); // as UUID writes it

  /**
   * Whether the controller can have issued it. A node has no list of the volumes; what does not
   * look like an id never becomes a part of what is mounted there (rule K2).
   */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  Volume message() {
    return Volume.newBuilder().setVolumeId(id).setCapacityBytes(sizeBytes).build();
  }
}
