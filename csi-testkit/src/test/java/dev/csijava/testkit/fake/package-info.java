/** Tests of the driver in memory, and of the kit with it. */
@NullMarked
package dev.csijava.testkit.fake;

import org.jspecify.annotations.NullMarked;
