@NullMarked
package dev.csijava.testkit.load;

import org.jspecify.annotations.NullMarked;
