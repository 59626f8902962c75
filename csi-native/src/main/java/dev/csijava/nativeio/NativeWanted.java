package dev.csijava.nativeio;

import dev.csijava.core.mount.Mount;
import java.util.Optional;
import java.util.Set;

/** What is to be mounted, and how to tell whether a mount is that. */
interface NativeWanted {
  /** Whether the target has to be a directory; else it has to be none. */
  boolean isDirectory();

  /** A new mount, in no peer group and with its flags, attached nowhere. */
  Descriptor detached(MountKernel kernel) throws LinuxException;

  /** Whether the topmost mount at the place, made before, shows the same. */
  boolean isShownAt(Place place, Mount top) throws LinuxException;

  /** How its options differ from those asked for, in words that finish "the mount is". */
  Optional<String> difference(Set<String> options, boolean readOnly);

  /** What a new mount lost of the source's own restrictions, in the same words. */
  Optional<String> loss(Set<String> options);
}
