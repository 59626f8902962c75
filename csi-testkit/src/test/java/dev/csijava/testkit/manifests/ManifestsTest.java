package dev.csijava.testkit.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.csijava.testkit.client.DriverCapabilities;
import dev.csijava.testkit.manifests.ManifestSettings.NamedClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestsTest {
  private static final Set<String> EVERYTHING =
      Set.of(
          "plugin:CONTROLLER_SERVICE",
          "plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS",
          "plugin:GROUP_CONTROLLER_SERVICE",
          "plugin:SNAPSHOT_METADATA_SERVICE",
          "ctrl:CREATE_DELETE_VOLUME",
          "ctrl:PUBLISH_UNPUBLISH_VOLUME",
          "ctrl:LIST_VOLUMES",
          "ctrl:GET_CAPACITY",
          "ctrl:CREATE_DELETE_SNAPSHOT",
          "ctrl:EXPAND_VOLUME",
          "ctrl:VOLUME_CONDITION",
          "ctrl:MODIFY_VOLUME",
          "group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
          "node:STAGE_UNSTAGE_VOLUME",
          "node:EXPAND_VOLUME",
          "service:Node");

  private static DriverFacts facts(Set<String> without) {
    Set<String> words = new TreeSet<>(EVERYTHING);
    words.removeAll(without);
    return new DriverFacts("disk.example.com", DriverCapabilities.of(words));
  }

  /** What a driver can't have that is spread over nodes. */
  private static final Set<String> NOT_DISTRIBUTED =
      Set.of("ctrl:PUBLISH_UNPUBLISH_VOLUME", "ctrl:EXPAND_VOLUME");

  private static ManifestSettings settings(DeploymentMode mode, boolean sidecars) {
    return new ManifestSettings(
        "",
        mode,
        "storage",
        true,
        "/var/lib/kubelet",
        new ManifestSettings.Container(
            "example.com/disk:1",
            List.of("--endpoint=$(CSI_ENDPOINT)"),
            Map.of("/var/lib/disk", "/data", "/run/disk", "/run/disk"),
            Map.of("kubernetes.io/arch", "amd64"),
            9898,
            "/healthz",
            "/readyz"),
        new ManifestSettings.Sidecars(
            "registry.example.com", sidecars, sidecars, false, false, "", "PEM"),
        new ManifestSettings.DriverObject(
            true, false, "File", true, true, List.of("vault"), true, 60, true),
        new ManifestSettings.Classes(
            List.of(NamedClass.parse("fast:kind=fast,a=b"), NamedClass.parse("slow")),
            List.of(),
            List.of(),
            List.of(NamedClass.parse("gold:iops=100"))));
  }

  private static List<JsonObject> objects(DriverFacts facts, ManifestSettings settings) {
    return ClusterSchema.parse(Manifests.of(facts, settings).yaml("test"));
  }

  private static List<JsonObject> of(List<JsonObject> objects, String kind) {
    return objects.stream().filter(one -> one.get("kind").getAsString().equals(kind)).toList();
  }

  private static JsonObject podSpec(List<JsonObject> objects) {
    List<JsonObject> workloads = new ArrayList<>(of(objects, "StatefulSet"));
    workloads.addAll(of(objects, "DaemonSet"));
    assertThat(workloads).hasSize(1);
    return workloads
        .get(0)
        .getAsJsonObject("spec")
        .getAsJsonObject("template")
        .getAsJsonObject("spec");
  }

  private static JsonObject container(List<JsonObject> objects, String name) {
    for (JsonElement one : podSpec(objects).getAsJsonArray("containers")) {
      if (one.getAsJsonObject().get("name").getAsString().equals(name)) {
        return one.getAsJsonObject();
      }
    }
    throw new AssertionError("no container " + name);
  }

  private static List<String> texts(JsonElement array, String field) {
    List<String> texts = new ArrayList<>();
    for (JsonElement one : array.getAsJsonArray()) {
      texts.add(
          field.isEmpty() ? one.getAsString() : one.getAsJsonObject().get(field).getAsString());
    }
    return texts;
  }

  private static List<String> containers(List<JsonObject> objects) {
    return texts(podSpec(objects).getAsJsonArray("containers"), "name");
  }

  private static String name(JsonObject object) {
    return object.getAsJsonObject("metadata").get("name").getAsString();
  }

  private static String rights(List<JsonObject> objects, String kind, String name) {
    return of(objects, kind).stream()
        .filter(one -> name(one).equals("disk-example-com-" + name))
        .map(one -> one.get("rules").toString())
        .findFirst()
        .orElse("");
  }

  /** Every mix: each capability alone taken away, both modes, sidecars or not. */
  @ParameterizedTest
  @EnumSource
  void isValidWhateverTheDriverCan(DeploymentMode mode) {
    Set<Set<String>> mixes = new HashSet<>(Set.of(Set.of(), EVERYTHING));
    EVERYTHING.forEach(word -> mixes.add(Set.of(word)));
    int valid = 0;
    for (Set<String> mix : mixes) {
      Set<String> without = new HashSet<>(mix);
      if (mode == DeploymentMode.DISTRIBUTED) {
        without.addAll(NOT_DISTRIBUTED);
      }
      for (boolean sidecars : new boolean[] {true, false}) {
        List<JsonObject> objects;
        try {
          objects = objects(facts(without), settings(mode, sidecars));
        } catch (IllegalArgumentException refused) {
          assertThat(mode).isEqualTo(DeploymentMode.DISTRIBUTED);
          continue;
        }
        objects.forEach(ClusterSchema::check);
        nothingIsThereTwice(objects);
        everyReferenceIsMet(objects);
        valid++;
      }
    }
    assertThat(valid).isGreaterThan(20);
  }

  private static void nothingIsThereTwice(List<JsonObject> objects) {
    assertThat(objects.stream().map(one -> one.get("kind").getAsString() + "/" + name(one)))
        .doesNotHaveDuplicates();
    List<String> names = new ArrayList<>();
    List<String> numbers = new ArrayList<>();
    for (JsonElement container : podSpec(objects).getAsJsonArray("containers")) {
      JsonArray ports = container.getAsJsonObject().getAsJsonArray("ports");
      if (ports != null) {
        names.addAll(texts(ports, "name"));
        numbers.addAll(texts(ports, "containerPort"));
      }
      assertThat(texts(container.getAsJsonObject().get("args"), "")).doesNotHaveDuplicates();
      assertThat(texts(container.getAsJsonObject().get("volumeMounts"), "mountPath"))
          .doesNotHaveDuplicates();
    }
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.length() <= 15);
    assertThat(numbers).doesNotHaveDuplicates();
    assertThat(containers(objects)).doesNotHaveDuplicates();
    assertThat(texts(podSpec(objects).get("volumes"), "name")).doesNotHaveDuplicates();
  }

  private static void everyReferenceIsMet(List<JsonObject> objects) {
    List<String> volumes = texts(podSpec(objects).get("volumes"), "name");
    for (JsonElement container : podSpec(objects).getAsJsonArray("containers")) {
      assertThat(volumes)
          .containsAll(texts(container.getAsJsonObject().get("volumeMounts"), "name"));
    }
    for (String kind : List.of("ClusterRole", "Role")) {
      assertThat(
              of(objects, kind + "Binding").stream()
                  .map(one -> one.getAsJsonObject("roleRef").get("name").getAsString()))
          .containsExactlyInAnyOrderElementsOf(
              of(objects, kind).stream().map(ManifestsTest::name).toList());
    }
    assertThat(name(of(objects, "ServiceAccount").get(0)))
        .isEqualTo(podSpec(objects).get("serviceAccountName").getAsString());
  }

  @Test
  void theSchemaFindsWhatIsWrong() {
    List<JsonObject> objects = objects(facts(Set.of()), settings(DeploymentMode.SINGLE, true));
    JsonObject driver = container(objects, "driver");
    driver.addProperty("imagePulPolicy", "Always");
    assertThatThrownBy(() -> ClusterSchema.check(of(objects, "StatefulSet").get(0)))
        .hasMessageContaining("imagePulPolicy");
    JsonObject snapshots = of(objects, "VolumeSnapshotClass").get(0);
    snapshots.addProperty("deletionPolicy", "Never");
    assertThatThrownBy(() -> ClusterSchema.check(snapshots)).hasMessageContaining("Retain");
  }

  @Test
  void eachSidecarIsThereForACapability() {
    assertThat(containers(objects(facts(Set.of()), settings(DeploymentMode.SINGLE, false))))
        .containsExactly(
            "driver",
            "csi-provisioner",
            "csi-attacher",
            "csi-resizer",
            "csi-snapshotter",
            "csi-snapshot-metadata",
            "csi-external-health-monitor-controller");
    Map<String, Set<String>> reasons =
        Map.of(
            "csi-provisioner", Set.of("ctrl:CREATE_DELETE_VOLUME"),
            "csi-attacher", Set.of("ctrl:PUBLISH_UNPUBLISH_VOLUME"),
            "csi-resizer", Set.of("ctrl:EXPAND_VOLUME", "node:EXPAND_VOLUME", "ctrl:MODIFY_VOLUME"),
            "csi-snapshotter",
                Set.of(
                    "ctrl:CREATE_DELETE_SNAPSHOT", "group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
            "csi-snapshot-metadata", Set.of("plugin:SNAPSHOT_METADATA_SERVICE"),
            "csi-external-health-monitor-controller", Set.of("ctrl:VOLUME_CONDITION"));
    reasons.forEach(
        (sidecar, words) -> {
          List<JsonObject> without = objects(facts(words), settings(DeploymentMode.SINGLE, false));
          assertThat(containers(without)).doesNotContain(sidecar);
          assertThat(rights(without, "ClusterRole", sidecar)).isEmpty();
        });
  }

  @Test
  void registrarAndLivenessProbeAreThereOnlyWhenAskedFor() {
    List<JsonObject> asked = objects(facts(Set.of()), settings(DeploymentMode.SINGLE, true));
    assertThat(containers(asked)).contains("csi-node-driver-registrar", "livenessprobe");
    assertThat(texts(container(asked, "csi-node-driver-registrar").get("args"), ""))
        .contains("--kubelet-registration-path=/var/lib/kubelet/plugins/disk.example.com/csi.sock");
    assertThat(texts(container(asked, "driver").get("volumeMounts"), "mountPath"))
        .doesNotContain("/registration");
    List<JsonObject> itself = objects(facts(Set.of()), settings(DeploymentMode.SINGLE, false));
    assertThat(texts(container(itself, "driver").get("volumeMounts"), "mountPath"))
        .contains("/registration", "/data");
    assertThat(container(itself, "driver").getAsJsonArray("ports").toString()).contains("9898");
  }

  @Test
  void mountsAreSeenOnBothSidesOnlyWhereTheDriverMounts() {
    JsonObject driver =
        container(objects(facts(Set.of()), settings(DeploymentMode.SINGLE, false)), "driver");
    List<String> both = new ArrayList<>();
    for (JsonElement mount : driver.getAsJsonArray("volumeMounts")) {
      if (mount.getAsJsonObject().has("mountPropagation")) {
        both.add(mount.getAsJsonObject().get("mountPath").getAsString());
      }
    }
    assertThat(both).containsExactly("/var/lib/kubelet/pods", "/var/lib/kubelet/plugins");
    List<JsonObject> controllerOnly =
        objects(facts(Set.of("service:Node")), settings(DeploymentMode.SINGLE, true));
    assertThat(container(controllerOnly, "driver").toString())
        .doesNotContain("mountPropagation")
        .doesNotContain("privileged");
    assertThat(containers(controllerOnly)).doesNotContain("csi-node-driver-registrar");
  }

  @Test
  void aPodIsNeverSentToANodeWithoutTheDriver() {
    for (DeploymentMode mode : DeploymentMode.values()) {
      List<JsonObject> objects = objects(facts(NOT_DISTRIBUTED), settings(mode, false));
      JsonObject csiDriver = of(objects, "CSIDriver").get(0).getAsJsonObject("spec");
      assertThat(csiDriver.get("storageCapacity").getAsBoolean()).isTrue();
      assertThat(of(objects, "StorageClass"))
          .hasSize(2)
          .allMatch(
              one -> one.get("volumeBindingMode").getAsString().equals("WaitForFirstConsumer"));
      assertThat(texts(container(objects, "csi-provisioner").get("args"), ""))
          .contains("--enable-capacity=true", "--strict-topology=true");
      assertThat(rights(objects, "Role", "csi-provisioner")).contains("csistoragecapacities");
    }
    // Without capacity the volume is made first, and its topology leads the pod to it.
    List<JsonObject> blind =
        objects(facts(Set.of("ctrl:GET_CAPACITY")), settings(DeploymentMode.SINGLE, false));
    assertThat(of(blind, "StorageClass"))
        .allMatch(one -> one.get("volumeBindingMode").getAsString().equals("Immediate"));
  }

  @Test
  void onEveryNodeTheProvisionerIsInChargeOfItsNode() {
    List<JsonObject> objects =
        objects(facts(NOT_DISTRIBUTED), settings(DeploymentMode.DISTRIBUTED, false));
    JsonObject provisioner = container(objects, "csi-provisioner");
    assertThat(texts(provisioner.get("args"), ""))
        .contains("--node-deployment=true", "--immediate-topology=false");
    assertThat(texts(provisioner.get("env"), "name"))
        .containsExactlyInAnyOrder("NAMESPACE", "POD_NAME", "NODE_NAME");
    assertThat(containers(objects))
        .containsExactly("driver", "csi-provisioner", "csi-resizer", "csi-snapshotter");
    assertThat(texts(container(objects, "csi-resizer").get("args"), ""))
        .contains("--leader-election=true");
    assertThat(of(objects, "VolumeGroupSnapshotClass")).isEmpty();
    assertThat(of(objects, "VolumeAttributesClass")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ctrl:GET_CAPACITY",
        "plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS",
        "service:Node",
        "nothing, so that it attaches"
      })
  void refusesToSpreadADriverThatWouldNotWorkSo(String missing) {
    Set<String> without = new HashSet<>(Set.of(missing));
    if (!missing.startsWith("nothing")) {
      without.addAll(NOT_DISTRIBUTED);
    }
    ManifestSettings settings = settings(DeploymentMode.DISTRIBUTED, false);
    assertThatThrownBy(() -> Manifests.of(facts(without), settings))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rightsAreThoseThatAreUsed() {
    List<JsonObject> all = objects(facts(Set.of()), settings(DeploymentMode.SINGLE, false));
    assertThat(all.toString()).doesNotContain("\"secrets\"").doesNotContain("\"*\"");
    assertThat(rights(all, "ClusterRole", "csi-provisioner"))
        .contains("volumesnapshots", "volumeattachments", "volumeattributesclasses", "csinodes");
    List<JsonObject> little =
        objects(
            facts(
                Set.of(
                    "ctrl:CREATE_DELETE_SNAPSHOT",
                    "ctrl:PUBLISH_UNPUBLISH_VOLUME",
                    "ctrl:MODIFY_VOLUME",
                    "plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS")),
            settings(DeploymentMode.SINGLE, false));
    assertThat(rights(little, "ClusterRole", "csi-provisioner"))
        .contains("persistentvolumeclaims")
        .doesNotContain("volumesnapshots")
        .doesNotContain("volumeattachments")
        .doesNotContain("volumeattributesclasses")
        .doesNotContain("csinodes");
    assertThat(of(little, "Role")).isEmpty();
    List<JsonObject> nodeOnly =
        objects(
            facts(
                new HashSet<>(
                    EVERYTHING.stream().filter(word -> !word.equals("service:Node")).toList())),
            settings(DeploymentMode.DISTRIBUTED, false));
    assertThat(of(nodeOnly, "ClusterRole")).isEmpty();
    assertThat(
            of(nodeOnly, "ServiceAccount")
                .get(0)
                .get("automountServiceAccountToken")
                .getAsBoolean())
        .isFalse();
  }

  @Test
  void saysOfTheDriverWhatKubernetesAsks() {
    List<JsonObject> objects = objects(facts(Set.of()), settings(DeploymentMode.SINGLE, false));
    JsonObject spec = of(objects, "CSIDriver").get(0).getAsJsonObject("spec");
    assertThat(spec.get("attachRequired").getAsBoolean()).isTrue();
    assertThat(spec.get("podInfoOnMount").getAsBoolean()).isTrue();
    assertThat(texts(spec.get("volumeLifecycleModes"), ""))
        .containsExactly("Persistent", "Ephemeral");
    assertThat(texts(spec.get("tokenRequests"), "audience")).containsExactly("vault");
    assertThat(spec.keySet())
        .contains(
            "fsGroupPolicy",
            "requiresRepublish",
            "seLinuxMount",
            "nodeAllocatableUpdatePeriodSeconds",
            "serviceAccountTokenInSecrets",
            "preventPodSchedulingIfMissing");
    JsonObject attributes = of(objects, "VolumeAttributesClass").get(0);
    assertThat(attributes.get("parameters").toString()).isEqualTo("{\"iops\":\"100\"}");
    assertThat(name(of(objects, "VolumeGroupSnapshotClass").get(0))).isEqualTo("disk-example-com");
    assertThat(of(objects, "SnapshotMetadataService")).hasSize(1);
  }

  /** What a driver calls itself must not become an object of its own in the cluster. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "a\n---\nkind: Secret", "../../etc", "disk_1", "-disk", "disk.example.com."})
  void aDriverWithoutALegalNameGetsNone(String name) {
    DriverFacts facts = new DriverFacts(name, DriverCapabilities.of(EVERYTHING));
    assertThatThrownBy(() -> Manifests.of(facts, settings(DeploymentMode.SINGLE, true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the driver has no legal name");
  }

  @Test
  void readinessIsAskedOfTheDriverItselfBesideLivenessprobe() {
    JsonObject driver =
        container(objects(facts(Set.of()), settings(DeploymentMode.SINGLE, true)), "driver");
    assertThat(driver.get("livenessProbe").toString()).contains("\"port\":\"healthz\"");
    assertThat(driver.get("readinessProbe").toString())
        .contains("\"path\":\"/readyz\"", "\"port\":9898");
  }
}
