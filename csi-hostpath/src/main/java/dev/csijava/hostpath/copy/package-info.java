/** Copies of directory trees. */
@NullMarked
package dev.csijava.hostpath.copy;

import org.jspecify.annotations.NullMarked;
