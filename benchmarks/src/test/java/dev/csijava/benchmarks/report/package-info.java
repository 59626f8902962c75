/** Tests of what {@code bin/bench} does. */
@NullMarked
package dev.csijava.benchmarks.report;

import org.jspecify.annotations.NullMarked;
