package dev.csijava.testkit.manifests;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.models.V1CSIDriver;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1StorageClass;
import io.kubernetes.client.openapi.models.V1VolumeAttributesClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Kubernetes' own schema, offline: an unknown field, a missing one or one of another type is a
 * finding. The kinds that are not Kubernetes' own are looked at here.
 */
final class ClusterSchema {
  private static final Gson GSON = new Gson();
  private static final Map<String, Check> CHECKS =
      Map.ofEntries(
          Map.entry("v1 Namespace", V1Namespace::validateJsonElement),
          Map.entry("v1 ServiceAccount", V1ServiceAccount::validateJsonElement),
          Map.entry("v1 Service", V1Service::validateJsonElement),
          Map.entry("apps/v1 StatefulSet", V1StatefulSet::validateJsonElement),
          Map.entry("apps/v1 DaemonSet", V1DaemonSet::validateJsonElement),
          Map.entry("rbac.authorization.k8s.io/v1 ClusterRole", V1ClusterRole::validateJsonElement),
          Map.entry(
              "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
              V1ClusterRoleBinding::validateJsonElement),
          Map.entry("rbac.authorization.k8s.io/v1 Role", V1Role::validateJsonElement),
          Map.entry("rbac.authorization.k8s.io/v1 RoleBinding", V1RoleBinding::validateJsonElement),
          Map.entry("storage.k8s.io/v1 CSIDriver", ClusterSchema::csiDriver),
          Map.entry("storage.k8s.io/v1 StorageClass", V1StorageClass::validateJsonElement),
          Map.entry(
              "storage.k8s.io/v1 VolumeAttributesClass",
              V1VolumeAttributesClass::validateJsonElement),
          Map.entry("snapshot.storage.k8s.io/v1 VolumeSnapshotClass", ClusterSchema::snapshotClass),
          Map.entry(
              "groupsnapshot.storage.k8s.io/v1beta2 VolumeGroupSnapshotClass",
              ClusterSchema::snapshotClass),
          Map.entry(
              "cbt.storage.k8s.io/v1beta1 SnapshotMetadataService",
              ClusterSchema::metadataService));

  private ClusterSchema() {}

  @FunctionalInterface
  private interface Check {
    void look(JsonElement object) throws IOException;
  }

  /** The documents of a file. */
  static List<JsonObject> parse(String yaml) {
    List<JsonObject> objects = new ArrayList<>();
    Load load =
        new Load(
            LoadSettings.builder()
                .setAllowDuplicateKeys(false)
                .setMaxAliasesForCollections(0)
                .build());
    for (Object document : load.loadAllFromString(yaml)) {
      objects.add(GSON.toJsonTree(document).getAsJsonObject());
    }
    return objects;
  }

  /**
   * Looks at one object.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  static void check(JsonObject object) {
    String kind = object.get("apiVersion").getAsString() + " " + object.get("kind").getAsString();
    Check check = CHECKS.get(kind);
    if (check == null) {
      throw new IllegalArgumentException("there is no schema for " + kind);
    }
    try {
      check.look(object);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The model is of Kubernetes 1.35 or older; this field is newer. */
  private static void csiDriver(JsonElement element) throws IOException {
    JsonObject copy = element.deepCopy().getAsJsonObject();
    for (String newer : List.of("serviceAccountTokenInSecrets", "preventPodSchedulingIfMissing")) {
      JsonElement value = copy.getAsJsonObject("spec").remove(newer);
      if (value != null && !value.getAsJsonPrimitive().isBoolean()) {
        throw new IllegalArgumentException(newer + " is a boolean");
      }
    }
    V1CSIDriver.validateJsonElement(copy);
  }

  private static void snapshotClass(JsonElement element) {
    JsonObject object = element.getAsJsonObject();
    fields(
        object,
        Set.of("apiVersion", "kind", "metadata", "driver", "deletionPolicy"),
        Set.of("parameters"));
    if (!Set.of("Delete", "Retain").contains(object.get("deletionPolicy").getAsString())) {
      throw new IllegalArgumentException("deletionPolicy is Delete or Retain");
    }
  }

  private static void metadataService(JsonElement element) {
    JsonObject object = element.getAsJsonObject();
    fields(object, Set.of("apiVersion", "kind", "metadata", "spec"), Set.of());
    fields(object.getAsJsonObject("spec"), Set.of("address", "audience", "caCert"), Set.of());
  }

  private static void fields(JsonObject object, Set<String> required, Set<String> optional) {
    for (String field : object.keySet()) {
      if (!required.contains(field) && !optional.contains(field)) {
        throw new IllegalArgumentException("there is no field " + field);
      }
    }
    if (!object.keySet().containsAll(required)) {
      throw new IllegalArgumentException("not all of " + required + " are there");
    }
  }
}
