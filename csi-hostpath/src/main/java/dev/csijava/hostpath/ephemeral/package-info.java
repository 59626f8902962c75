/** Inline volumes, which live as long as their pod. */
@NullMarked
package dev.csijava.hostpath.ephemeral;

import org.jspecify.annotations.NullMarked;
