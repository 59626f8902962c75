/** The thirty-line driver of the README. */
@NullMarked
package dev.csijava.examples.quickstart;

import org.jspecify.annotations.NullMarked;
