package dev.csijava.testkit.manifests;

/**
 * How a driver is spread over a cluster.
 *
 * @since 0.1.0
 */
public enum DeploymentMode {
  /** One pod with controller and node service on one node. */
  SINGLE,
  /** A pod on every node, each in charge of the volumes of its node. */
  DISTRIBUTED
}
