/** Records and data of volumes and snapshots on disk, committed by rename. */
@NullMarked
package dev.csijava.hostpath.store;

import org.jspecify.annotations.NullMarked;
