/** What {@code bin/bench} does: run, keep results as JSON, draw them, compare them with targets. */
@NullMarked
package dev.csijava.benchmarks.report;

import org.jspecify.annotations.NullMarked;
