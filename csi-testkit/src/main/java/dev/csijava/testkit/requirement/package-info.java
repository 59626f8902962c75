/** What a CSI driver must do, row by row, and how far that can be seen from outside. */
@NullMarked
package dev.csijava.testkit.requirement;

import org.jspecify.annotations.NullMarked;
