/** Conformance tests for any CSI driver, over its socket. */
@NullMarked
package dev.csijava.testkit;

import org.jspecify.annotations.NullMarked;
