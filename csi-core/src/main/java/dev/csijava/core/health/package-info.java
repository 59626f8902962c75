/** Health of volumes and of the storage behind them. */
@NullMarked
package dev.csijava.core.health;

import org.jspecify.annotations.NullMarked;
