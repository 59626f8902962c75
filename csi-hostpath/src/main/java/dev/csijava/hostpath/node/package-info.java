/** Answers to the Node service. */
@NullMarked
package dev.csijava.hostpath.node;

import org.jspecify.annotations.NullMarked;
