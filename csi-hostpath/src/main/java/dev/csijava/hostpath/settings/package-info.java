/** What an operator decides, as immutable values by theme. */
@NullMarked
package dev.csijava.hostpath.settings;

import org.jspecify.annotations.NullMarked;
