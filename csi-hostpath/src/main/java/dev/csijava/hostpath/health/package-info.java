/** Health of volumes and of the storage behind them. */
@NullMarked
package dev.csijava.hostpath.health;

import org.jspecify.annotations.NullMarked;
