/**
 * What kubelet and the sidecars agree on besides the CSI protocol: paths, {@code vol_data.json},
 * context keys.
 */
@NullMarked
package dev.csijava.core.kubelet;

import org.jspecify.annotations.NullMarked;
