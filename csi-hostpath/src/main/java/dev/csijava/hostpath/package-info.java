/** The reference driver: volumes on a directory of the node. Internal: nothing here is an API. */
@NullMarked
package dev.csijava.hostpath;

import org.jspecify.annotations.NullMarked;
