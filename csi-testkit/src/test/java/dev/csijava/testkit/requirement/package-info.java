@NullMarked
package dev.csijava.testkit.requirement;

import org.jspecify.annotations.NullMarked;
