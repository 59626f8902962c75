package dev.csijava.testkit.manifests;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is deployed of a driver, and what is left out for which reason. */
final class Plan {
  private final DriverFacts facts;
  private final ManifestSettings settings;
  private final Set<Sidecar> sidecars = EnumSet.noneOf(Sidecar.class);
  private final List<String> notes = new ArrayList<>();

  /**
   * @throws IllegalArgumentException with a sentence if the driver can't be deployed like that
   */
  Plan(DriverFacts facts, ManifestSettings settings) {
    this.facts = facts;
    this.settings = settings;
    refuseAnIllegalName();
    if (distributed()) {
      refuseWhatCannotBeDistributed();
      chooseOnEveryNode();
    } else {
      chooseOnOneNode();
    }
    if (facts.hasNode() && settings.sidecars().registrar()) {
      sidecars.add(Sidecar.REGISTRAR);
    }
    if (settings.sidecars().liveness()) {
      sidecars.add(Sidecar.LIVENESS);
    }
  }

  /** The name becomes part of objects, paths and comments as it is. */
  private void refuseAnIllegalName() {
    if (!facts.name().matches("[a-zA-Z0-9]([-.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?")) {
      throw new IllegalArgumentException(
          "the driver has no legal name: at most 63 letters, digits, dashes and dots, not '"
              + facts.name().replaceAll("\\p{Cntrl}", "?")
              + "'");
    }
  }

  private void refuseWhatCannotBeDistributed() {
    if (!facts.hasNode()) {
      throw new IllegalArgumentException(
          facts.name() + " has no Node service, so there is nothing to put on every node");
    }
    if (facts.controller("PUBLISH_UNPUBLISH_VOLUME")) {
      throw new IllegalArgumentException(
          facts.name()
              + " offers ControllerPublishVolume, which external-attacher would ask of a driver on"
              + " any node; start the driver without it");
    }
    if (facts.provisions() && !(facts.topology() && facts.controller("GET_CAPACITY"))) {
      throw new IllegalArgumentException(
          "without VOLUME_ACCESSIBILITY_CONSTRAINTS and GET_CAPACITY pods would be sent to nodes"
              + " that have no "
              + facts.name());
    }
  }

  private void chooseOnOneNode() {
    choose(Sidecar.PROVISIONER, facts.provisions());
    choose(Sidecar.ATTACHER, facts.controller("PUBLISH_UNPUBLISH_VOLUME"));
    choose(Sidecar.RESIZER, hasController() && (expands() || facts.controller("MODIFY_VOLUME")));
    choose(Sidecar.SNAPSHOTTER, snapshots() || facts.groupSnapshots());
    choose(Sidecar.SNAPSHOT_METADATA, facts.plugin("SNAPSHOT_METADATA_SERVICE"));
    choose(
        Sidecar.HEALTH_MONITOR,
        facts.controller("VOLUME_CONDITION")
            && (facts.controller("LIST_VOLUMES") || facts.controller("GET_VOLUME")));
    if (facts.hasNode() && !facts.topology()) {
      notes.add(
          "The driver reports no topology, so the scheduler does not know on which node its pod is:"
              + " use it in a cluster of one node, or bind pods to that node.");
    } else if (facts.provisions() && !usesCapacity()) {
      notes.add(
          "The driver has no GET_CAPACITY: volumes are made before a pod is scheduled, which then"
              + " goes where its volume is.");
    }
    if (has(Sidecar.SNAPSHOT_METADATA) && settings.sidecars().metadataCa().isEmpty()) {
      notes.add(
          "No SnapshotMetadataService is here: it needs the certificate authority of the TLS"
              + " secret; give --metadata-ca.");
    }
    if (facts.controller("MODIFY_VOLUME") && settings.classes().attributes().isEmpty()) {
      notes.add(
          "No VolumeAttributesClass is here: it must have parameters; give --attributes-class.");
    }
  }

  private void chooseOnEveryNode() {
    choose(Sidecar.PROVISIONER, facts.provisions());
    choose(Sidecar.SNAPSHOTTER, snapshots());
    choose(Sidecar.RESIZER, hasController() && expands());
    if (has(Sidecar.SNAPSHOTTER)) {
      notes.add(
          "The cluster's snapshot-controller must run with --enable-distributed-snapshotting.");
    }
    if (facts.controller("EXPAND_VOLUME")) {
      notes.add(
          "Volumes can't be expanded: external-resizer would call ControllerExpandVolume of a"
              + " driver on any node. A driver that leaves growing to NodeExpandVolume can.");
    }
    if (facts.controller("MODIFY_VOLUME")) {
      notes.add(
          "Volumes can't be modified: external-resizer would call ControllerModifyVolume of a"
              + " driver on any node.");
    }
    if (facts.groupSnapshots()) {
      notes.add("There are no group snapshots: csi-snapshotter takes them for one driver only.");
    }
    if (facts.plugin("SNAPSHOT_METADATA_SERVICE")) {
      notes.add("There is no csi-snapshot-metadata: it serves one driver only.");
    }
  }

  private void choose(Sidecar sidecar, boolean wanted) {
    if (wanted) {
      sidecars.add(sidecar);
    }
  }

  private boolean hasController() {
    return facts.plugin("CONTROLLER_SERVICE");
  }

  /** Whether claims can grow, through a resizer that asks the right driver or none at all. */
  boolean expands() {
    return distributed()
        ? facts.node("EXPAND_VOLUME") && !facts.controller("EXPAND_VOLUME")
        : facts.node("EXPAND_VOLUME") || facts.controller("EXPAND_VOLUME");
  }

  boolean snapshots() {
    return facts.controller("CREATE_DELETE_SNAPSHOT");
  }

  boolean groupSnapshots() {
    return facts.groupSnapshots() && !distributed();
  }

  boolean modifies() {
    return facts.controller("MODIFY_VOLUME") && !distributed();
  }

  /** Whether the scheduler is told how much room there is where, and so where the driver is. */
  boolean usesCapacity() {
    return facts.provisions() && facts.topology() && facts.controller("GET_CAPACITY");
  }

  boolean distributed() {
    return settings.mode() == DeploymentMode.DISTRIBUTED;
  }

  boolean has(Sidecar sidecar) {
    return sidecars.contains(sidecar);
  }

  /** Whether any container talks to the cluster. */
  boolean talksToCluster() {
    return sidecars.stream().anyMatch(sidecar -> !sidecar.rules(this).isEmpty());
  }

  Set<Sidecar> sidecars() {
    return sidecars;
  }

  List<String> notes() {
    return notes;
  }

  DriverFacts facts() {
    return facts;
  }

  ManifestSettings settings() {
    return settings;
  }

  /** How names begin. */
  String name() {
    String given = settings.name();
    if (!given.isEmpty()) {
      return given;
    }
    String made = facts.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return made.substring(0, Math.min(made.length(), 40)).replaceAll("^-|-$", "");
  }
}
