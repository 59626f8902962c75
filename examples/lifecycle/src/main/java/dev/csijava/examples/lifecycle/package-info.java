/** A caller that takes volumes through their whole life, as bin/demo shows it. */
@NullMarked
package dev.csijava.examples.lifecycle;

import org.jspecify.annotations.NullMarked;
