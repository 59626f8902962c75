package dev.csijava.nativeio;

import java.io.IOException;
import java.nio.file.Path;

/** Makes a new loop device of an image. */
final class LoopAttachment {
  /** Others take free devices too; each try takes the next. */
  private static final int TRIES = 64;

  private final LoopNodes nodes;
  private final String tag;

  LoopAttachment(LoopNodes nodes, String tag) {
    this.nodes = nodes;
    this.tag = tag;
  }

  /**
   * Attaches it to a free device, which the caller holds open from then on.
   *
   * @param flags beside read-only and direct I/O
   */
  LoopNodes.Open attach(LoopImage image, boolean readOnly, int flags) throws IOException {
    int all = flags | LoopStatus.DIRECT_IO | (readOnly ? LoopStatus.READ_ONLY : 0);
    for (int i = 1; ; i++) {
      Path node = nodes.free();
      Descriptor device = nodes.open(node, readOnly ? Descriptor.READ : Descriptor.READ_WRITE);
      try {
        configure(device, image, all);
        LoopStatus status = LoopStatus.of(device);
        if (!status.isOf(image.status())) {
          throw new IOException(node + " was taken by somebody else");
        }
        return new LoopNodes.Open(node, device, status);
      } catch (LinuxException e) {
        device.close();
        if (!e.is(Errno.EBUSY, Errno.ENXIO) || i == TRIES) {
          throw e;
        }
      } catch (IOException | RuntimeException e) {
        device.close();
        throw e;
      }
    }
  }

  private void configure(Descriptor device, LoopImage image, int flags) throws LinuxException {
    try {
      LoopStatus.configure(device, image.file(), flags, tag);
    } catch (LinuxException e) {
      if (!e.is(Errno.EINVAL)) {
        throw e;
      }
      // Not every file system can do direct I/O, and not every kernel goes on without.
      LoopStatus.configure(device, image.file(), flags & ~LoopStatus.DIRECT_IO, tag);
    }
  }
}
