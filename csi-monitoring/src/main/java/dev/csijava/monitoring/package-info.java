/** HTTP pages for health and metrics of a driver built on csi-core. */
@NullMarked
package dev.csijava.monitoring;

import org.jspecify.annotations.NullMarked;
