/** What a driver implements of the SnapshotMetadata service. */
@NullMarked
package dev.csijava.core.metadata;

import org.jspecify.annotations.NullMarked;
