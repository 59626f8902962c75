package dev.csijava.testkit.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The objects of a cluster beside its classes. */
final class ClusterObjects {
  private final Plan plan;
  private final Map<String, String> labels;

  ClusterObjects(Plan plan) {
    this.plan = plan;
    this.labels = new TreeMap<>(Map.of("app.kubernetes.io/name", plan.name()));
  }

  static Map<String, Object> inNamespace(Plan plan, String name) {
    return Entries.of("name", name).put("namespace", plan.settings().namespace()).map();
  }

  private static Map<String, Object> inCluster(String name) {
    return Entries.of("name", name).map();
  }

  List<Map<String, Object>> all() {
    List<Map<String, Object>> objects = new ArrayList<>();
    if (plan.settings().createNamespace()) {
      objects.add(namespace());
    }
    objects.add(csiDriver());
    objects.add(
        Entries.object("v1", "ServiceAccount", inNamespace(plan, plan.name()))
            .put("automountServiceAccountToken", plan.talksToCluster())
            .map());
    plan.sidecars().forEach(sidecar -> rights(sidecar, objects));
    if (plan.has(Sidecar.SNAPSHOT_METADATA)) {
      objects.add(Metadata.service(plan, labels));
      if (!plan.settings().sidecars().metadataCa().isEmpty()) {
        objects.add(Metadata.announcement(plan));
      }
    }
    objects.add(workload());
    return objects;
  }

  private Map<String, Object> namespace() {
    return Entries.object(
            "v1",
            "Namespace",
            Entries.of("name", plan.settings().namespace())
                .put("labels", Map.of("pod-security.kubernetes.io/enforce", "privileged"))
                .map())
        .map();
  }

  private Map<String, Object> csiDriver() {
    ManifestSettings.DriverObject object = plan.settings().object();
    List<String> modes = new ArrayList<>();
    if (plan.facts().provisions() || !object.inline()) {
      modes.add("Persistent");
    }
    if (object.inline()) {
      modes.add("Ephemeral");
    }
    List<Object> tokens = new ArrayList<>();
    object.tokenAudiences().forEach(one -> tokens.add(Entries.of("audience", one).map()));
    return Entries.object("storage.k8s.io/v1", "CSIDriver", inCluster(plan.facts().name()))
        .put(
            "spec",
            Entries.of("attachRequired", plan.has(Sidecar.ATTACHER))
                .put("podInfoOnMount", object.podInfo() || object.inline())
                .put("fsGroupPolicy", object.fsGroupPolicy())
                .put("volumeLifecycleModes", modes)
                .put("storageCapacity", plan.usesCapacity())
                .put("requiresRepublish", object.requiresRepublish())
                .put("seLinuxMount", object.seLinuxMount())
                .putFilled("tokenRequests", tokens)
                .putIf(object.tokensInSecrets(), "serviceAccountTokenInSecrets", true)
                .putIf(
                    object.allocatableUpdateSeconds() > 0,
                    "nodeAllocatableUpdatePeriodSeconds",
                    object.allocatableUpdateSeconds())
                .putIf(object.preventScheduling(), "preventPodSchedulingIfMissing", true)
                .map())
        .map();
  }

  private void rights(Sidecar sidecar, List<Map<String, Object>> objects) {
    String name = plan.name() + "-" + sidecar.title();
    List<Rule> rules = sidecar.rules(plan);
    if (!rules.isEmpty()) {
      objects.add(role("ClusterRole", inCluster(name), rules));
      objects.add(binding("ClusterRole", inCluster(name), name));
    }
    List<Rule> ownRules = sidecar.ownRules(plan);
    if (!ownRules.isEmpty()) {
      objects.add(role("Role", inNamespace(plan, name), ownRules));
      objects.add(binding("Role", inNamespace(plan, name), name));
    }
  }

  private static Map<String, Object> role(
      String kind, Map<String, Object> metadata, List<Rule> rules) {
    return Entries.object("rbac.authorization.k8s.io/v1", kind, metadata)
        .put("rules", rules.stream().map(Rule::map).toList())
        .map();
  }

  private Map<String, Object> binding(String kind, Map<String, Object> metadata, String role) {
    Map<String, Object> subject =
        Entries.of("kind", "ServiceAccount")
            .put("name", plan.name())
            .put("namespace", plan.settings().namespace())
            .map();
    return Entries.object("rbac.authorization.k8s.io/v1", kind + "Binding", metadata)
        .put("subjects", List.of(subject))
        .put(
            "roleRef",
            Entries.of("apiGroup", "rbac.authorization.k8s.io")
                .put("kind", kind)
                .put("name", role)
                .map())
        .map();
  }

  private Map<String, Object> workload() {
    Map<String, Object> template =
        Entries.of("metadata", Entries.of("labels", labels).map())
            .put("spec", new PodTemplate(plan).spec())
            .map();
    Entries spec = Entries.of("selector", Entries.of("matchLabels", labels).map());
    if (plan.distributed()) {
      // One pod after the other, and never two of a node: kubelet takes one registration of a name.
      Map<String, Object> rolling = Entries.of("maxSurge", 0).put("maxUnavailable", 1).map();
      spec.put(
          "updateStrategy",
          Entries.of("type", "RollingUpdate").put("rollingUpdate", rolling).map());
    } else {
      spec.put("serviceName", plan.name()).put("replicas", 1);
    }
    return Entries.object(
            "apps/v1",
            plan.distributed() ? "DaemonSet" : "StatefulSet",
            Entries.of("name", plan.name())
                .put("namespace", plan.settings().namespace())
                .put("labels", labels)
                .map())
        .put("spec", spec.put("template", template).map())
        .map();
  }
}
