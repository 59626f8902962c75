/** What is mounted on this node, in the questions that this driver asks. */
@NullMarked
package dev.csijava.hostpath.mounts;

import org.jspecify.annotations.NullMarked;
