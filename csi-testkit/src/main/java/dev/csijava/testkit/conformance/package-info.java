/** The conformance cases, the context they run in, and the run over all of them. */
@NullMarked
package dev.csijava.testkit.conformance;

import org.jspecify.annotations.NullMarked;
