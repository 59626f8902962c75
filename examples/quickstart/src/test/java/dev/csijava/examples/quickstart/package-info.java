/** Tests of the thirty-line driver. */
@NullMarked
package dev.csijava.examples.quickstart;

import org.jspecify.annotations.NullMarked;
