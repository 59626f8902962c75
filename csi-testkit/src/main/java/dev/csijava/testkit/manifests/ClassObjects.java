package dev.csijava.testkit.manifests;

import dev.csijava.testkit.manifests.ManifestSettings.NamedClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The classes by which people ask for volumes and snapshots. */
final class ClassObjects {
  private final Plan plan;

  ClassObjects(Plan plan) {
    this.plan = plan;
  }

  List<Map<String, Object>> all() {
    ManifestSettings.Classes classes = plan.settings().classes();
    List<Map<String, Object>> objects = new ArrayList<>();
    if (plan.facts().provisions()) {
      orDefault(classes.storage()).forEach(one -> objects.add(storage(one)));
    }
    if (plan.snapshots()) {
      for (NamedClass one : orDefault(classes.snapshot())) {
        objects.add(snapshot("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass", one));
      }
    }
    if (plan.groupSnapshots()) {
      for (NamedClass one : orDefault(classes.groupSnapshot())) {
        objects.add(
            snapshot("groupsnapshot.storage.k8s.io/v1beta2", "VolumeGroupSnapshotClass", one));
      }
    }
    if (plan.modifies()) {
      for (NamedClass one : classes.attributes()) {
        objects.add(
            object("storage.k8s.io/v1", "VolumeAttributesClass", one)
                .put("driverName", plan.facts().name())
                .put("parameters", one.parameters())
                .map());
      }
    }
    return objects;
  }

  private List<NamedClass> orDefault(List<NamedClass> given) {
    return given.isEmpty() ? List.of(new NamedClass(plan.name(), Map.of())) : given;
  }

  private Map<String, Object> storage(NamedClass one) {
    return object("storage.k8s.io/v1", "StorageClass", one)
        .put("provisioner", plan.facts().name())
        .putFilled("parameters", one.parameters())
        .put("reclaimPolicy", "Delete")
        .put("volumeBindingMode", plan.usesCapacity() ? "WaitForFirstConsumer" : "Immediate")
        .putIf(plan.expands(), "allowVolumeExpansion", true)
        .map();
  }

  private Map<String, Object> snapshot(String version, String kind, NamedClass one) {
    return object(version, kind, one)
        .put("driver", plan.facts().name())
        .put("deletionPolicy", "Delete")
        .putFilled("parameters", one.parameters())
        .map();
  }

  private static Entries object(String version, String kind, NamedClass one) {
    return Entries.object(version, kind, Entries.of("name", one.name()).map());
  }
}
