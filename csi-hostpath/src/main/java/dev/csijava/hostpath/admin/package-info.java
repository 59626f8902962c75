/**
 * The commands beside the server: taking over the Go driver's state, and looking at what is there.
 */
@NullMarked
package dev.csijava.hostpath.admin;

import org.jspecify.annotations.NullMarked;
