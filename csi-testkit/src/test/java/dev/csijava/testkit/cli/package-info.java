@NullMarked
package dev.csijava.testkit.cli;

import org.jspecify.annotations.NullMarked;
