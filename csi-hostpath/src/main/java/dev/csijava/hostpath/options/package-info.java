/** The flags of the command line, by theme, and how Go's way of writing them is read. */
@NullMarked
package dev.csijava.hostpath.options;

import org.jspecify.annotations.NullMarked;
