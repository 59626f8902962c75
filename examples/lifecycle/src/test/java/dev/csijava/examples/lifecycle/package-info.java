/** Tests of the caller behind bin/demo. */
@NullMarked
package dev.csijava.examples.lifecycle;

import org.jspecify.annotations.NullMarked;
