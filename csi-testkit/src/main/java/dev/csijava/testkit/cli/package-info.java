/** The program {@code bin/csi}: one subcommand a class. */
@NullMarked
package dev.csijava.testkit.cli;

import org.jspecify.annotations.NullMarked;
