/**
 * A CSI driver that lives in memory, for people who write callers of drivers: complete for CSI 1.12
 * and 1.13, with every capability to be switched off, and scripted with delays and faults. It is
 * also the reference that the conformance kit itself is tested with.
 */
@NullMarked
package dev.csijava.testkit.fake;

import org.jspecify.annotations.NullMarked;
