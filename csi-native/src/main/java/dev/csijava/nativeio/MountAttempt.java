package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What came of trying to attach a clone; whether it is there is for the caller to look at. No
 * descriptor of the clone is open any more, so a clone that was not attached is gone, and one that
 * was can be unmounted.
 *
 * @param id the clone's number
 * @param failure what the kernel answered, if not success
 */
record MountAttempt(long id, @Nullable LinuxException failure) {
  /**
   * @throws LinuxException if it failed before anything could be attached
   */
  static MountAttempt of(
      MountKernel kernel,
      MountReader reader,
      Descriptor origin,
      Descriptor place,
      MountOptions options)
      throws IOException {
    try (Descriptor clone = kernel.cloneOf(origin)) {
      kernel.restrict(clone, options);
      long id = FileStatus.of(clone, reader.kindOfId()).mountId();
      try {
        kernel.attach(clone, place);
        if (reader.byId(id).map(Mounted::shared).orElse(false)) {
          // Attached within a shared mount it is given a new peer group of its own; leave that,
          // or what is stacked on it later would appear in its copies in other namespaces.
          kernel.restrict(clone, MountOptions.NONE);
        }
        return new MountAttempt(id, null);
      } catch (LinuxException e) {
        return new MountAttempt(id, e);
      }
    }
  }
}
