/** The one door for all that deletes or unmounts. */
@NullMarked
package dev.csijava.hostpath.removal;

import org.jspecify.annotations.NullMarked;
