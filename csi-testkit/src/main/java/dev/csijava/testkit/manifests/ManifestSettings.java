package dev.csijava.testkit.manifests;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a driver can't say of itself.
 *
 * @param name how names of objects begin; the driver's name with dashes if it is empty
 * @param mode how the driver is spread
 * @param namespace where the pods are
 * @param createNamespace whether the namespace is to be made, open to privileged pods
 * @param kubeletDirectory kubelet's directory on the nodes, absolute
 * @param container the driver's own container
 * @param sidecars the containers beside it
 * @param object the CSIDriver object
 * @param classes the classes
 * @since 0.1.0
 */
public record ManifestSettings(
    String name,
    DeploymentMode mode,
    String namespace,
    boolean createNamespace,
    String kubeletDirectory,
    Container container,
    Sidecars sidecars,
    DriverObject object,
    Classes classes) {
  private static final int SHORTEST_UPDATE_SECONDS = 10;

  /**
   * Checks what would make no valid object.
   *
   * @throws IllegalArgumentException with a sentence
   * @since 0.1.0
   */
  public ManifestSettings {
    if (!name.isEmpty() && !name.matches("[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?")) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name: at most 40 lower-case letters, digits and dashes");
    }
    if (!kubeletDirectory.startsWith("/") || kubeletDirectory.endsWith("/")) {
      throw new IllegalArgumentException(
          "kubelet's directory is an absolute path without / at its end, not " + kubeletDirectory);
    }
    if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException("'" + namespace + "' is no namespace");
    }
  }

  private static void check(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException(sentence);
    }
  }

  /**
   * The driver's container.
   *
   * @param image its image
   * @param arguments of the driver; may name $(CSI_ENDPOINT) and $(NODE_NAME)
   * @param hostPaths directories of the node by path on the node, with the path in the container
   * @param nodeSelector labels of the nodes that it runs on
   * @param healthPort where the driver itself serves healthPath; 0 if it does not
   * @param healthPath of the liveness probe
   * @param readyPath of the readiness probe, at the same port; empty for none
   * @since 0.1.0
   */
  public record Container(
      String image,
      List<String> arguments,
      Map<String, String> hostPaths,
      Map<String, String> nodeSelector,
      int healthPort,
      String healthPath,
      String readyPath) {
    /**
     * Checks port and paths.
     *
     * @throws IllegalArgumentException with a sentence
     * @since 0.1.0
     */
    public Container {
      check(healthPort >= 0 && healthPort <= 0xffff, healthPort + " is no port for health");
      for (String page : List.of(healthPath, readyPath)) {
        check(page.isEmpty() || page.startsWith("/"), "a page begins with /, not as " + page);
      }
      check(
          readyPath.isEmpty() || healthPort > 0,
          readyPath + " needs the port that it is served at");
      hostPaths.forEach(
          (host, inside) ->
              check(
                  host.startsWith("/") && inside.startsWith("/"),
                  "both paths of a host path are absolute, not " + host + "=" + inside));
    }
  }

  /**
   * The containers beside it.
   *
   * @param registry where their images are
   * @param registrar whether node-driver-registrar registers the driver; else it does so itself
   * @param liveness whether livenessprobe serves the health page; else the driver does so itself
   * @param privileged whether they are privileged, as SELinux wants it
   * @param secrets whether classes name secrets that they must read
   * @param metadataSecret the TLS secret of csi-snapshot-metadata; empty for its default name
   * @param metadataCa the certificate authority of that secret as PEM; empty if it is not known yet
   * @since 0.1.0
   */
  public record Sidecars(
      String registry,
      boolean registrar,
      boolean liveness,
      boolean privileged,
      boolean secrets,
      String metadataSecret,
      String metadataCa) {}

  /**
   * Fields of CSIDriver that no capability stands for.
   *
   * @param inline whether the driver serves inline volumes of pods
   * @param podInfo whether NodePublishVolume is told of the pod; always with inline volumes
   * @param fsGroupPolicy ReadWriteOnceWithFSType, File or None
   * @param requiresRepublish whether NodePublishVolume is repeated
   * @param seLinuxMount whether the driver takes a SELinux context as mount option
   * @param tokenAudiences for whom service account tokens are handed over
   * @param tokensInSecrets whether these come as secrets (Kubernetes 1.35)
   * @param allocatableUpdateSeconds how often kubelet repeats NodeGetInfo; 0 for never
   * @param preventScheduling whether pods wait for a node that has the driver (Kubernetes 1.35)
   * @since 0.1.0
   */
  public record DriverObject(
      boolean inline,
      boolean podInfo,
      String fsGroupPolicy,
      boolean requiresRepublish,
      boolean seLinuxMount,
      List<String> tokenAudiences,
      boolean tokensInSecrets,
      int allocatableUpdateSeconds,
      boolean preventScheduling) {
    /**
     * Checks the policy and the period.
     *
     * @throws IllegalArgumentException with a sentence
     * @since 0.1.0
     */
    public DriverObject {
      if (!List.of("ReadWriteOnceWithFSType", "File", "None").contains(fsGroupPolicy)) {
        throw new IllegalArgumentException(
            "fsGroupPolicy is ReadWriteOnceWithFSType, File or None, not " + fsGroupPolicy);
      }
      check(
          allocatableUpdateSeconds == 0 || allocatableUpdateSeconds >= SHORTEST_UPDATE_SECONDS,
          "kubelet asks for the limit again every 10 seconds at most, not "
              + allocatableUpdateSeconds);
    }
  }

  /**
   * The classes; where none is given, one without parameters.
   *
   * @param storage StorageClasses
   * @param snapshot VolumeSnapshotClasses
   * @param groupSnapshot VolumeGroupSnapshotClasses
   * @param attributes VolumeAttributesClasses, which must have parameters
   * @since 0.1.0
   */
  public record Classes(
      List<NamedClass> storage,
      List<NamedClass> snapshot,
      List<NamedClass> groupSnapshot,
      List<NamedClass> attributes) {
    /**
     * Checks that a VolumeAttributesClass has parameters.
     *
     * @throws IllegalArgumentException with a sentence
     * @since 0.1.0
     */
    public Classes {
      attributes.forEach(
          one ->
              check(
                  !one.parameters().isEmpty(),
                  "the VolumeAttributesClass " + one.name() + " has no parameters"));
    }
  }

  /**
   * A class with its parameters.
   *
   * @since 0.1.0
   */
  public record NamedClass(String name, Map<String, String> parameters) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a sentence
     * @since 0.1.0
     */
    public NamedClass {
      check(
          name.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?"),
          "'" + name + "' is no name of a class: lower-case letters, digits, dashes and dots");
    }

    /**
     * Reads {@code name} or {@code name:key=value,key=value}.
     *
     * @throws IllegalArgumentException with a sentence
     * @since 0.1.0
     */
    public static NamedClass parse(String text) {
      int colon = text.indexOf(':');
      String name = colon < 0 ? text : text.substring(0, colon);
      Map<String, String> parameters = new TreeMap<>();
      if (colon >= 0) {
        for (String pair : Splitter.on(',').split(text.substring(colon + 1))) {
          int equals = pair.indexOf('=');
          if (equals < 1) {
            throw new IllegalArgumentException(
                "'" + text + "' is no class; write name or name:key=value[,key=value...]");
          }
          parameters.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
      }
      return new NamedClass(name, parameters);
    }
  }
}
