package dev.csijava.testkit.cli;

import dev.csijava.testkit.manifests.DeploymentMode;
import dev.csijava.testkit.manifests.ManifestSettings;
import dev.csijava.testkit.manifests.ManifestSettings.NamedClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a driver can't say of itself, on the command line. */
final class ManifestOptions {
  @Option(
      names = "--mode",
      defaultValue = "single",
      description =
          "single: one pod on one node. distributed: a pod on every node, each in charge of the"
              + " volumes of its node. Default: ${DEFAULT-VALUE}")
  private String mode = "single";

  @Option(
      names = "--name",
      defaultValue = "",
      description = "How names of objects begin. Default: the driver's name, with dashes")
  private String name = "";

  @Option(
      names = "--namespace",
      defaultValue = "kube-system",
      description = "Where the pods are. Default: ${DEFAULT-VALUE}")
  private String namespace = "";

  @Option(
      names = "--create-namespace",
      description = "Print the namespace too, open to privileged pods.")
  private boolean createNamespace;

  @Option(
      names = "--image",
      defaultValue = "driver:latest",
      description = "The driver's image. Default: ${DEFAULT-VALUE}")
  private String image = "";

  @Option(
      names = "--kubelet-dir",
      defaultValue = "/var/lib/kubelet",
      description = "kubelet's directory on the nodes. Default: ${DEFAULT-VALUE}")
  private String kubeletDirectory = "";

  @Option(
      names = "--driver-arg",
      paramLabel = "ARG",
      description =
          "An argument of the driver; $(CSI_ENDPOINT) and $(NODE_NAME) are filled in; repeatable.")
  private List<String> arguments = List.of();

  @Option(
      names = "--host-path",
      paramLabel = "HOST=CONTAINER",
      description = "A directory of the node that the driver needs; repeatable.")
  private Map<String, String> hostPaths = Map.of();

  @Option(
      names = "--node-selector",
      paramLabel = "LABEL=VALUE",
      description = "A label of the nodes that the driver runs on; repeatable.")
  private Map<String, String> nodeSelector = Map.of();

  @Option(
      names = "--health-port",
      defaultValue = "0",
      description = "The driver itself serves its health page at this port.")
  private int healthPort;

  @Option(
      names = "--health-path",
      defaultValue = "/healthz",
      description = "The path of that page. Default: ${DEFAULT-VALUE}")
  private String healthPath = "";

  @Option(
      names = "--ready-path",
      defaultValue = "",
      description = "The path of a page at the same port that says whether the driver is ready.")
  private String readyPath = "";

  @Option(
      names = "--registrar-sidecar",
      description =
          "Register with kubelet by node-driver-registrar. Without it the driver must do so itself,"
              + " through the directory /registration.")
  private boolean registrar;

  @Option(
      names = "--liveness-sidecar",
      description = "Serve the health page by livenessprobe, for drivers that have none.")
  private boolean liveness;

  @Option(
      names = "--sidecar-registry",
      defaultValue = "registry.k8s.io/sig-storage",
      description = "Where the images of the sidecars are. Default: ${DEFAULT-VALUE}")
  private String registry = "";

  @Option(
      names = "--privileged-sidecars",
      description = "Privileged sidecars, for nodes where SELinux keeps them from the socket.")
  private boolean privileged;

  @Option(names = "--secrets", description = "Sidecars may read secrets, which classes name.")
  private boolean secrets;

  @Option(
      names = "--metadata-secret",
      defaultValue = "",
      description = "The TLS secret of csi-snapshot-metadata. Default: NAME-metadata-certificates")
  private String metadataSecret = "";

  @Option(
      names = "--metadata-ca",
      paramLabel = "FILE",
      description = "The certificate authority of that secret, PEM.")
  private @Nullable Path metadataCa;

  @Option(names = "--inline", description = "The driver serves inline volumes of pods.")
  private boolean inline;

  @Option(names = "--pod-info", description = "The driver wants to know the pod.")
  private boolean podInfo;

  @Option(
      names = "--fs-group-policy",
      defaultValue = "File",
      description = "ReadWriteOnceWithFSType, File or None. Default: ${DEFAULT-VALUE}")
  private String fsGroupPolicy = "";

  @Option(names = "--requires-republish", description = "NodePublishVolume is to be repeated.")
  private boolean requiresRepublish;

  @Option(names = "--selinux-mount", description = "The driver takes a context as mount option.")
  private boolean seLinuxMount;

  @Option(
      names = "--token-audience",
      description = "For whom service account tokens are handed over; repeatable.")
  private List<String> tokenAudiences = List.of();

  @Option(
      names = "--tokens-in-secrets",
      description = "They come as secrets (Kubernetes 1.35 and newer).")
  private boolean tokensInSecrets;

  @Option(
      names = "--allocatable-update-period",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "How often kubelet asks for the volume limit again; 10 at least.")
  private int allocatableUpdateSeconds;

  @Option(
      names = "--prevent-scheduling-if-missing",
      description = "Pods wait for a node that has the driver (Kubernetes 1.35 and newer).")
  private boolean preventScheduling;

  @Option(
      names = "--storage-class",
      paramLabel = "NAME[:KEY=VALUE,...]",
      description = "A StorageClass; repeatable. Default: one without parameters")
  private List<String> storageClasses = List.of();

  @Option(
      names = "--snapshot-class",
      paramLabel = "NAME[:KEY=VALUE,...]",
      description = "A VolumeSnapshotClass; repeatable. Default: one without parameters")
  private List<String> snapshotClasses = List.of();

  @Option(
      names = "--group-snapshot-class",
      paramLabel = "NAME[:KEY=VALUE,...]",
      description = "A VolumeGroupSnapshotClass; repeatable. Default: one without parameters")
  private List<String> groupSnapshotClasses = List.of();

  @Option(
      names = "--attributes-class",
      paramLabel = "NAME:KEY=VALUE,...",
      description = "A VolumeAttributesClass; repeatable.")
  private List<String> attributesClasses = List.of();

  /**
   * The settings that this makes.
   *
   * @throws IllegalArgumentException with a sentence if they make no sense
   */
  ManifestSettings settings() throws IOException {
    return new ManifestSettings(
        name,
        mode(),
        namespace,
        createNamespace,
        kubeletDirectory,
        new ManifestSettings.Container(
            image,
            List.copyOf(arguments),
            new TreeMap<>(hostPaths),
            new TreeMap<>(nodeSelector),
            healthPort,
            healthPath,
            readyPath),
        new ManifestSettings.Sidecars(
            registry,
            registrar,
            liveness,
            privileged,
            secrets,
            metadataSecret,
            metadataCa == null ? "" : Files.readString(metadataCa)),
        new ManifestSettings.DriverObject(
            inline,
            podInfo,
            fsGroupPolicy,
            requiresRepublish,
            seLinuxMount,
            List.copyOf(tokenAudiences),
            tokensInSecrets,
            allocatableUpdateSeconds,
            preventScheduling),
        new ManifestSettings.Classes(
            classes(storageClasses),
            classes(snapshotClasses),
            classes(groupSnapshotClasses),
            classes(attributesClasses)));
  }

  private DeploymentMode mode() {
    return switch (mode) {
      case "single" -> DeploymentMode.SINGLE;
      case "distributed" -> DeploymentMode.DISTRIBUTED;
      default -> throw new IllegalArgumentException("--mode is single or distributed, not " + mode);
    };
  }

  private static List<NamedClass> classes(List<String> texts) {
    return texts.stream().map(NamedClass::parse).toList();
  }
}
