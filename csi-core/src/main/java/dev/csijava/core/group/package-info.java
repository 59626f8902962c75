/** What a driver implements of the GroupController service. */
@NullMarked
package dev.csijava.core.group;

import org.jspecify.annotations.NullMarked;
