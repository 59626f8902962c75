/** Attaching volumes to nodes. */
@NullMarked
package dev.csijava.hostpath.attach;

import org.jspecify.annotations.NullMarked;
