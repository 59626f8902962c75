/** Proves that the compiled interface is the published one: against a table, and byte by byte. */
@NullMarked
package dev.csijava.spec;

import org.jspecify.annotations.NullMarked;
