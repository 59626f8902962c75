/**
 * Assemble a driver from its capabilities ({@link dev.csijava.core.CsiDriver}) and serve it on a
 * socket ({@link dev.csijava.core.CsiServer}).
 */
@NullMarked
package dev.csijava.core;

import org.jspecify.annotations.NullMarked;
