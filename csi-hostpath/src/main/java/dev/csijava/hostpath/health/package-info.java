/** What is wrong with volumes and with the storage below them. */
@NullMarked
package dev.csijava.hostpath.health;

import org.jspecify.annotations.NullMarked;
