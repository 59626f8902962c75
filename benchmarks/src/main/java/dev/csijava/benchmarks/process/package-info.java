/** Measures of whole driver processes, which JMH can't take. */
@NullMarked
package dev.csijava.benchmarks.process;

import org.jspecify.annotations.NullMarked;
