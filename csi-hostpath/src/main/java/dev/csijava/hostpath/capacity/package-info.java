/** Configured capacities and what is promised of them. */
@NullMarked
package dev.csijava.hostpath.capacity;

import org.jspecify.annotations.NullMarked;
