package dev.csijava.testkit.manifests;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What csi-snapshot-metadata needs: a service, and an object that tells clients of it. */
final class Metadata {
  private Metadata() {}

  static String secret(Plan plan) {
    String given = plan.settings().sidecars().metadataSecret();
    return given.isEmpty() ? plan.name() + "-metadata-certificates" : given;
  }

  private static String serviceName(Plan plan) {
    return plan.name() + "-metadata";
  }

  static Map<String, Object> service(Plan plan, Map<String, String> labels) {
    Map<String, Object> port =
        Entries.of("name", "snapshot-metadata")
            .put("port", Ports.METADATA_SERVICE)
            .put("protocol", "TCP")
            .put("targetPort", Ports.METADATA_NAME)
            .map();
    return Entries.object("v1", "Service", ClusterObjects.inNamespace(plan, serviceName(plan)))
        .put("spec", Entries.of("selector", labels).put("ports", List.of(port)).map())
        .map();
  }

  static Map<String, Object> announcement(Plan plan) {
    String address =
        serviceName(plan) + "." + plan.settings().namespace() + ":" + Ports.METADATA_SERVICE;
    byte[] certificate = plan.settings().sidecars().metadataCa().getBytes(StandardCharsets.UTF_8);
    return Entries.object(
            "cbt.storage.k8s.io/v1beta1",
            "SnapshotMetadataService",
            Entries.of("name", plan.facts().name()).map())
        .put(
            "spec",
            Entries.of("address", address)
                .put("audience", plan.facts().name())
                .put("caCert", Base64.getEncoder().encodeToString(certificate))
                .map())
        .map();
  }
}
