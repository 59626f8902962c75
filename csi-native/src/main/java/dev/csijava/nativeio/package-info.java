/** Linux system calls behind the mount interfaces of csi-core, found by {@code ServiceLoader}. */
@NullMarked
package dev.csijava.nativeio;

import org.jspecify.annotations.NullMarked;
