/** A driver whose volumes live in the node's memory, with a size that the kernel enforces. */
@NullMarked
package dev.csijava.examples.memory;

import org.jspecify.annotations.NullMarked;
