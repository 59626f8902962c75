/** Snapshots of several volumes at once. */
@NullMarked
package dev.csijava.hostpath.groups;

import org.jspecify.annotations.NullMarked;
