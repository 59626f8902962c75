/** The program csi: checks drivers, calls them, and plays one. */
@NullMarked
package dev.csijava.testkit.cli;

import org.jspecify.annotations.NullMarked;
