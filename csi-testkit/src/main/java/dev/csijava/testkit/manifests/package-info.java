/**
 * Writes what a Kubernetes cluster needs for a driver, from what the driver says of itself: a
 * sidecar, a right or a class is there because a capability asks for it.
 */
@NullMarked
package dev.csijava.testkit.manifests;

import org.jspecify.annotations.NullMarked;
