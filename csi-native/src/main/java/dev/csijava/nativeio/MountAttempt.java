package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What came of trying to attach a mount; whether it is there is for the caller to look at. No
 * descriptor of it is open any more, so one that was not attached is gone, and one that was can be
 * unmounted.
 *
 * @param id the mount's number
 * @param facts what was seen of it; null if it is not attached
 * @param failure what the kernel answered, if not success
 */
record MountAttempt(long id, @Nullable MountFacts facts, @Nullable LinuxException failure) {
  /**
   * @throws LinuxException if it failed before anything could be attached
   */
  static MountAttempt of(
      MountKernel kernel, MountReader reader, NativeWanted wanted, Descriptor place)
      throws IOException {
    try (Descriptor mount = wanted.detached(kernel)) {
      long id = FileStatus.of(mount, reader.kindOfId()).mountId();
      LinuxException failure = null;
      MountFacts facts;
      try {
        kernel.attach(mount, place);
        facts = reader.facts(id).orElse(null);
        if (facts != null && facts.shared()) {
          // Attached within a shared mount it is given a new peer group of its own; leave that,
          // or what is stacked on it later would appear in its copies in other namespaces.
          kernel.restrict(mount, MountOptions.NONE);
          facts = reader.facts(id).orElse(null);
        }
      } catch (LinuxException e) {
        failure = e;
        facts = reader.facts(id).orElse(null);
      }
      return new MountAttempt(id, facts, failure);
    }
  }
}
