/** What makes a change on disk outlive a crash. */
@NullMarked
package dev.csijava.hostpath.disk;

import org.jspecify.annotations.NullMarked;
