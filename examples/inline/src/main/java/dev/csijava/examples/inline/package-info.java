/** A driver without a controller: inline volumes that hold what kubelet tells of the pod. */
@NullMarked
package dev.csijava.examples.inline;

import org.jspecify.annotations.NullMarked;
