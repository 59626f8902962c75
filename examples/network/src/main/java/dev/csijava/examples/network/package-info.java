/** A driver for a network file system: the controller on the server's export, a mount a pod. */
@NullMarked
package dev.csijava.examples.network;

import org.jspecify.annotations.NullMarked;
