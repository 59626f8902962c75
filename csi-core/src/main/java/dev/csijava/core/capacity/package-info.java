/** Sizes of volumes, in bytes: the only place with size arithmetic. */
@NullMarked
package dev.csijava.core.capacity;

import org.jspecify.annotations.NullMarked;
