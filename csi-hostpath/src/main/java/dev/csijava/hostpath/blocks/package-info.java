/** Which blocks of snapshots hold data, and which differ between two. */
@NullMarked
package dev.csijava.hostpath.blocks;

import org.jspecify.annotations.NullMarked;
