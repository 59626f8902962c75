package dev.csijava.testkit.manifests;

import java.util.ArrayList;
import java.util.List;

/** The containers that Kubernetes keeps beside drivers, each with the rights that it uses. */
enum Sidecar {
  PROVISIONER("csi-provisioner", "v6.3.0"),
  ATTACHER("csi-attacher", "v4.12.0"),
  RESIZER("csi-resizer", "v2.2.1"),
  SNAPSHOTTER("csi-snapshotter", "v8.6.0"),
  SNAPSHOT_METADATA("csi-snapshot-metadata", "v1.0.0"),
  HEALTH_MONITOR("csi-external-health-monitor-controller", "v0.18.0"),
  REGISTRAR("csi-node-driver-registrar", "v2.17.0"),
  LIVENESS("livenessprobe", "v2.19.0");

  private static final String CORE = "";
  private static final String STORAGE = "storage.k8s.io";
  private static final String SNAPSHOT = "snapshot.storage.k8s.io";
  private static final String GROUP_SNAPSHOT = "groupsnapshot.storage.k8s.io";
  private static final String WRITE_EVENTS = "list watch create update patch";

  private final String image;
  private final String version;

  Sidecar(String image, String version) {
    this.image = image;
    this.version = version;
  }

  /** The name of its image, of its container and, behind the driver's, of its roles. */
  String title() {
    return image;
  }

  String image(String registry) {
    return registry + "/" + image + ":" + version;
  }

  /** What it does in the whole cluster; empty for one that does not talk to it. */
  List<Rule> rules(Plan plan) {
    List<Rule> rules = new ArrayList<>();
    switch (this) {
      case PROVISIONER -> provisioner(plan, rules);
      case ATTACHER -> {
        rules.add(Rule.readAnd(CORE, "persistentvolumes", "patch"));
        rules.add(Rule.read(STORAGE, "csinodes"));
        rules.add(Rule.readAnd(STORAGE, "volumeattachments", "patch"));
        rules.add(Rule.of(STORAGE, "volumeattachments/status", "patch"));
      }
      case RESIZER -> {
        rules.add(Rule.readAnd(CORE, "persistentvolumes", "patch"));
        rules.add(Rule.read(CORE, "persistentvolumeclaims pods"));
        rules.add(Rule.of(CORE, "persistentvolumeclaims/status", "patch"));
        rules.add(Rule.of(CORE, "events", WRITE_EVENTS));
        if (plan.modifies()) {
          rules.add(Rule.read(STORAGE, "volumeattributesclasses"));
        }
      }
      case SNAPSHOTTER -> snapshotter(plan, rules);
      case SNAPSHOT_METADATA -> {
        rules.add(Rule.read("cbt.storage.k8s.io", "snapshotmetadataservices"));
        rules.add(Rule.of("authentication.k8s.io", "tokenreviews", "create"));
        rules.add(Rule.of("authorization.k8s.io", "subjectaccessreviews", "create"));
        rules.add(
            Rule.of(
                SNAPSHOT,
                "volumesnapshots volumesnapshotcontents volumesnapshotclasses",
                "get list"));
      }
      case HEALTH_MONITOR -> {
        rules.add(Rule.read(CORE, "persistentvolumes persistentvolumeclaims nodes pods"));
        rules.add(Rule.of(CORE, "events", WRITE_EVENTS));
      }
      case REGISTRAR, LIVENESS -> {
        return rules;
      }
    }
    if (plan.settings().sidecars().secrets()) {
      rules.add(
          this == RESIZER ? Rule.read(CORE, "secrets") : Rule.of(CORE, "secrets", "get list"));
    }
    return rules;
  }

  private static void provisioner(Plan plan, List<Rule> rules) {
    rules.add(Rule.readAnd(CORE, "persistentvolumes", "create patch delete"));
    rules.add(Rule.readAnd(CORE, "persistentvolumeclaims", "update"));
    rules.add(Rule.read(STORAGE, "storageclasses"));
    rules.add(Rule.of(CORE, "events", WRITE_EVENTS));
    if (plan.snapshots()) {
      rules.add(Rule.readAnd(SNAPSHOT, "volumesnapshots", "update"));
      rules.add(Rule.of(SNAPSHOT, "volumesnapshotcontents", "get list"));
    }
    if (plan.facts().topology()) {
      rules.add(Rule.read(STORAGE, "csinodes"));
      rules.add(Rule.read(CORE, "nodes"));
    }
    if (plan.has(ATTACHER)) {
      rules.add(Rule.read(STORAGE, "volumeattachments"));
    }
    if (plan.facts().controller("MODIFY_VOLUME")) {
      rules.add(Rule.of(STORAGE, "volumeattributesclasses", "get"));
    }
  }

  private static void snapshotter(Plan plan, List<Rule> rules) {
    rules.add(Rule.of(CORE, "events", WRITE_EVENTS));
    rules.add(Rule.read(SNAPSHOT, "volumesnapshotclasses"));
    rules.add(Rule.readAnd(SNAPSHOT, "volumesnapshotcontents", "update patch"));
    rules.add(Rule.of(SNAPSHOT, "volumesnapshotcontents/status", "update patch"));
    if (plan.groupSnapshots()) {
      rules.add(Rule.read(GROUP_SNAPSHOT, "volumegroupsnapshotclasses"));
      rules.add(Rule.readAnd(GROUP_SNAPSHOT, "volumegroupsnapshotcontents", "update patch"));
      rules.add(Rule.of(GROUP_SNAPSHOT, "volumegroupsnapshotcontents/status", "update patch"));
    }
  }

  /** What it does in its own namespace. */
  List<Rule> ownRules(Plan plan) {
    if (this == PROVISIONER && plan.usesCapacity()) {
      return List.of(
          Rule.readAnd(STORAGE, "csistoragecapacities", "create update patch delete"),
          Rule.of(CORE, "pods", "get"));
    }
    if (this == RESIZER && plan.distributed()) {
      return List.of(Rule.readAnd("coordination.k8s.io", "leases", "create update delete"));
    }
    return List.of();
  }

  /** Its arguments beside --csi-address. */
  List<String> arguments(Plan plan) {
    List<String> arguments = new ArrayList<>();
    switch (this) {
      case PROVISIONER -> provisionerArguments(plan, arguments);
      case SNAPSHOTTER -> {
        if (plan.groupSnapshots()) {
          arguments.add("--feature-gates=CSIVolumeGroupSnapshot=true");
        }
        if (plan.distributed()) {
          arguments.add("--node-deployment=true");
        }
      }
      case RESIZER -> {
        if (plan.distributed()) {
          arguments.add("--leader-election=true");
          arguments.add("--leader-election-namespace=$(NAMESPACE)");
        }
      }
      case SNAPSHOT_METADATA -> {
        arguments.add("--tls-cert=/tmp/certificates/tls.crt");
        arguments.add("--tls-key=/tmp/certificates/tls.key");
      }
      case REGISTRAR -> {
        arguments.add("--kubelet-registration-path=" + Paths.socket(plan));
        arguments.add("--http-endpoint=:" + Ports.REGISTRAR);
      }
      case LIVENESS -> arguments.add("--health-port=" + Ports.LIVENESS);
      case ATTACHER, HEALTH_MONITOR -> {}
    }
    return arguments;
  }

  private static void provisionerArguments(Plan plan, List<String> arguments) {
    if (plan.facts().topology()) {
      arguments.add("--feature-gates=Topology=true");
      arguments.add("--strict-topology=true");
    }
    if (plan.usesCapacity()) {
      arguments.add("--enable-capacity=true");
      arguments.add("--capacity-ownerref-level=0");
    }
    if (plan.distributed()) {
      arguments.add("--immediate-topology=false");
      arguments.add("--node-deployment=true");
    }
  }

  /** The variables that its arguments or itself read: the name of a field of the pod each. */
  List<String> variables(Plan plan) {
    return switch (this) {
      case PROVISIONER -> {
        List<String> names = new ArrayList<>();
        if (plan.usesCapacity()) {
          names.addAll(List.of("NAMESPACE", "POD_NAME"));
        }
        if (plan.distributed()) {
          names.add("NODE_NAME");
        }
        yield names;
      }
      case SNAPSHOTTER -> plan.distributed() ? List.of("NODE_NAME") : List.of();
      case RESIZER -> plan.distributed() ? List.of("NAMESPACE") : List.of();
      default -> List.of();
    };
  }
}
