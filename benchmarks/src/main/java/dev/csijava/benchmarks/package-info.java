/** JMH benchmarks: one class a question. */
@NullMarked
package dev.csijava.benchmarks;

import org.jspecify.annotations.NullMarked;
