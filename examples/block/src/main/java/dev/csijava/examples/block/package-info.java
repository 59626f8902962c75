/**
 * A driver for raw block volumes with an attach step: images in a directory that all nodes share.
 */
@NullMarked
package dev.csijava.examples.block;

import org.jspecify.annotations.NullMarked;
