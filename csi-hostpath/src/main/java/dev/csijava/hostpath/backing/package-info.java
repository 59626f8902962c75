/** What the data of a volume is: a directory, an image with a file system, or a raw block file. */
@NullMarked
package dev.csijava.hostpath.backing;

import org.jspecify.annotations.NullMarked;
