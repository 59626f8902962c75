/**
 * Puts load on one driver, or on two in turn, and tells how long their calls took. It removes what
 * it made.
 */
@NullMarked
package dev.csijava.testkit.load;

import org.jspecify.annotations.NullMarked;
