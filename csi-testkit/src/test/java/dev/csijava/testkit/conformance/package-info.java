@NullMarked
package dev.csijava.testkit.conformance;

import org.jspecify.annotations.NullMarked;
