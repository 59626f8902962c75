/**
 * Keyed operations: mutating calls are locked, joined and finished; creates are idempotent by name.
 */
@NullMarked
package dev.csijava.core.operation;

import org.jspecify.annotations.NullMarked;
