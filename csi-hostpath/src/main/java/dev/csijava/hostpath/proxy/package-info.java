/** A driver that runs somewhere else, joined to the callers here. */
@NullMarked
package dev.csijava.hostpath.proxy;

import org.jspecify.annotations.NullMarked;
