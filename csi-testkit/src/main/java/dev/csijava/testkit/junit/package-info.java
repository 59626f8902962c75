/** The conformance kit as JUnit tests. */
@NullMarked
package dev.csijava.testkit.junit;

import org.jspecify.annotations.NullMarked;
