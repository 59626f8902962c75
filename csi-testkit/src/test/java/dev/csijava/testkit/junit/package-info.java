@NullMarked
package dev.csijava.testkit.junit;

import org.jspecify.annotations.NullMarked;
