/** What the tests of this module share: a node without a kernel, a disk that fails on demand. */
@NullMarked
package dev.csijava.hostpath.testing;

import org.jspecify.annotations.NullMarked;
