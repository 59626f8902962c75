package ${package};

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * One volume.
 *
 * @param id random, and the name of its directory
 * @param request what it was made from
 * @param sizeBytes what was promised
 * @param data what pods see
 */
record StoredVolume(String id, CreateVolumeRequest request, long sizeBytes, Path data) {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"); // as UUID writes it

  /** Whether the store can have issued it. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  Volume toVolume() {
    return Volume.newBuilder().setVolumeId(id).setCapacityBytes(sizeBytes).build();
  }

  /** Whether a directory of one node can be used so. */
  static boolean serves(VolumeCapability capability) {
    return capability.hasMount()
        && capability.getMount().getFsType().isEmpty()
        && switch (capability.getAccessMode().getMode()) {
          case SINGLE_NODE_WRITER,
              SINGLE_NODE_READER_ONLY,
              SINGLE_NODE_SINGLE_WRITER,
              SINGLE_NODE_MULTI_WRITER ->
              knowsFlags(capability);
          default -> false;
        };
  }

  private static boolean knowsFlags(VolumeCapability capability) {
    try {
      MountOptions.parse(capability.getMount().getMountFlagsList());
      return true;
    } catch (CsiException e) {
      return false;
    }
  }
}
