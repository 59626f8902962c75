/** Mounts of the node: bind, unmount, look up, measure. */
@NullMarked
package dev.csijava.core.mount;

import org.jspecify.annotations.NullMarked;
