/** Copies of directory trees and of files, and what holds a file system still for a copy. */
@NullMarked
package dev.csijava.hostpath.copy;

import org.jspecify.annotations.NullMarked;
