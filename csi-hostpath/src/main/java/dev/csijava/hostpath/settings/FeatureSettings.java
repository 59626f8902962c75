package dev.csijava.hostpath.settings;

/**
 * What is offered. Immutable.
 *
 * @param inlineOnly no capability of the controller is offered, and nothing is published but inline
 *     volumes; for Kubernetes 1.15
 * @param topology whether volumes say where they can be reached from
 * @param listSnapshots whether ListSnapshots is served
 */
public record FeatureSettings(
    boolean inlineOnly,
    boolean topology,
    boolean listSnapshots,
    ExpansionSettings expansion,
    ModifySettings modify,
    MetadataSettings metadata) {
  /** Topology, ListSnapshots and expansion. */
  public static final FeatureSettings DEFAULTS =
      new FeatureSettings(
          false,
          true,
          true,
          ExpansionSettings.DEFAULTS,
          ModifySettings.DEFAULTS,
          MetadataSettings.DEFAULTS);
}
