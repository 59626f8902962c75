/** A driver for directories and disks that already lie on the node: found, not created. */
@NullMarked
package dev.csijava.examples.existing;

import org.jspecify.annotations.NullMarked;
