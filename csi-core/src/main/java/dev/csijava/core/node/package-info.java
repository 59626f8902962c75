/** What a driver implements of the Node service: one interface a capability. */
@NullMarked
package dev.csijava.core.node;

import org.jspecify.annotations.NullMarked;
