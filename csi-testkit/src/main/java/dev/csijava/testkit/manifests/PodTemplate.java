package dev.csijava.testkit.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The pod: the driver and its sidecars. */
final class PodTemplate {
  private static final String SOCKET_VOLUME = "socket-dir";
  private static final Map<String, String> FIELDS =
      Map.of(
          "NODE_NAME", "spec.nodeName",
          "NAMESPACE", "metadata.namespace",
          "POD_NAME", "metadata.name");

  private final Plan plan;
  private final ManifestSettings.Container container;
  private final boolean registersItself;

  PodTemplate(Plan plan) {
    this.plan = plan;
    this.container = plan.settings().container();
    this.registersItself = plan.facts().hasNode() && !plan.has(Sidecar.REGISTRAR);
  }

  Map<String, Object> spec() {
    List<Object> containers = new ArrayList<>();
    containers.add(driver());
    plan.sidecars().forEach(sidecar -> containers.add(sidecar(sidecar)));
    Map<String, Object> selector = new TreeMap<>(container.nodeSelector());
    selector.put("kubernetes.io/os", "linux");
    return Entries.of("serviceAccountName", plan.name())
        .put("priorityClassName", "system-node-critical")
        .put("nodeSelector", selector)
        .putIf(plan.distributed(), "tolerations", List.of(Entries.of("operator", "Exists").map()))
        .put("containers", containers)
        .put("volumes", volumes())
        .map();
  }

  private Map<String, Object> driver() {
    boolean mounts = plan.facts().hasNode();
    List<Object> environment =
        new ArrayList<>(
            List.of(
                Entries.of("name", "CSI_ENDPOINT")
                    .put("value", "unix://" + Paths.SOCKET_IN_CONTAINERS)
                    .map(),
                variable("NODE_NAME")));
    Entries driver =
        Entries.of("name", "driver")
            .put("image", container.image())
            .put("imagePullPolicy", "IfNotPresent")
            .putFilled("args", container.arguments())
            .put("env", environment)
            .put("securityContext", mounts ? privileged() : confined());
    if (plan.has(Sidecar.LIVENESS) || container.healthPort() > 0) {
      int port = plan.has(Sidecar.LIVENESS) ? Ports.LIVENESS : container.healthPort();
      String path = plan.has(Sidecar.LIVENESS) ? "/healthz" : container.healthPath();
      driver.put("ports", List.of(port(Ports.HEALTH_NAME, port)));
      driver.put("livenessProbe", probe(path, Ports.HEALTH_NAME, 10, 5));
      if (!container.readyPath().isEmpty() && container.healthPort() > 0) {
        // The named port may be the one of livenessprobe, which has no such page.
        Object own = plan.has(Sidecar.LIVENESS) ? container.healthPort() : Ports.HEALTH_NAME;
        driver.put("readinessProbe", probe(container.readyPath(), own, 1, 3));
      }
    }
    return driver.put("volumeMounts", driverMounts()).map();
  }

  private List<Object> driverMounts() {
    List<Object> mounts = new ArrayList<>();
    mounts.add(mount(SOCKET_VOLUME, "/csi", false));
    if (registersItself) {
      mounts.add(mount("registration-dir", "/registration", false));
    }
    if (plan.facts().hasNode()) {
      // What the driver mounts must be seen by kubelet and pods, and the other way round.
      mounts.add(mount("pods-dir", Paths.pods(plan), true));
      mounts.add(mount("plugins-dir", Paths.plugins(plan), true));
      mounts.add(mount("dev-dir", "/dev", false));
    }
    hostVolumes().forEach(one -> mounts.add(mount(one.name(), one.inside(), false)));
    return mounts;
  }

  private Map<String, Object> sidecar(Sidecar sidecar) {
    ManifestSettings.Sidecars settings = plan.settings().sidecars();
    List<String> arguments =
        new ArrayList<>(List.of("--csi-address=" + Paths.SOCKET_IN_CONTAINERS));
    arguments.addAll(sidecar.arguments(plan));
    List<Object> mounts = new ArrayList<>(List.of(mount(SOCKET_VOLUME, "/csi", false)));
    Entries entries =
        Entries.of("name", sidecar.title())
            .put("image", sidecar.image(settings.registry()))
            .put("args", arguments)
            .putFilled("env", sidecar.variables(plan).stream().map(PodTemplate::variable).toList())
            .put("securityContext", settings.privileged() ? privileged() : confined());
    switch (sidecar) {
      case REGISTRAR -> {
        mounts.add(mount("registration-dir", "/registration", false));
        entries.put("ports", List.of(port(Ports.REGISTRAR_NAME, Ports.REGISTRAR)));
        entries.put("livenessProbe", probe("/healthz", Ports.REGISTRAR_NAME, 5, 3));
      }
      case SNAPSHOT_METADATA -> {
        mounts.add(
            Entries.of("name", "metadata-certificates")
                .put("mountPath", "/tmp/certificates")
                .put("readOnly", true)
                .map());
        entries.put(
            "ports",
            List.of(
                port(Ports.METADATA_NAME, Ports.METADATA),
                port(Ports.METADATA_HEALTH_NAME, Ports.METADATA_HEALTH)));
        entries.put("readinessProbe", probe("/health", Ports.METADATA_HEALTH_NAME, 5, 3));
      }
      default -> {}
    }
    return entries.put("volumeMounts", mounts).map();
  }

  private List<Object> volumes() {
    List<Object> volumes = new ArrayList<>();
    volumes.add(hostPath(SOCKET_VOLUME, Paths.socketDirectory(plan), "DirectoryOrCreate"));
    if (plan.facts().hasNode()) {
      volumes.add(hostPath("registration-dir", Paths.registration(plan), "Directory"));
      volumes.add(hostPath("pods-dir", Paths.pods(plan), "DirectoryOrCreate"));
      volumes.add(hostPath("plugins-dir", Paths.plugins(plan), "Directory"));
      volumes.add(hostPath("dev-dir", "/dev", "Directory"));
    }
    hostVolumes()
        .forEach(one -> volumes.add(hostPath(one.name(), one.onHost(), "DirectoryOrCreate")));
    if (plan.has(Sidecar.SNAPSHOT_METADATA)) {
      volumes.add(
          Entries.of("name", "metadata-certificates")
              .put("secret", Entries.of("secretName", Metadata.secret(plan)).map())
              .map());
    }
    return volumes;
  }

  /** The directories that were asked for. */
  private List<HostVolume> hostVolumes() {
    List<HostVolume> found = new ArrayList<>();
    new TreeMap<>(container.hostPaths())
        .forEach(
            (host, inside) ->
                found.add(new HostVolume("host-dir-" + (found.size() + 1), host, inside)));
    return found;
  }

  private record HostVolume(String name, String onHost, String inside) {}

  private static Map<String, Object> hostPath(String name, String path, String type) {
    return Entries.of("name", name)
        .put("hostPath", Entries.of("path", path).put("type", type).map())
        .map();
  }

  private static Map<String, Object> mount(String name, String path, boolean bidirectional) {
    return Entries.of("name", name)
        .put("mountPath", path)
        .putIf(bidirectional, "mountPropagation", "Bidirectional")
        .map();
  }

  private static Map<String, Object> port(String name, int number) {
    return Entries.of("name", name).put("containerPort", number).put("protocol", "TCP").map();
  }

  private static Map<String, Object> probe(String path, Object port, int delay, int failures) {
    return Entries.of("httpGet", Entries.of("path", path).put("port", port).map())
        .put("initialDelaySeconds", delay)
        .put("periodSeconds", 10)
        .put("timeoutSeconds", 3)
        .put("failureThreshold", failures)
        .map();
  }

  private static Map<String, Object> variable(String name) {
    String field = FIELDS.getOrDefault(name, name);
    return Entries.of("name", name)
        .put("valueFrom", Entries.of("fieldRef", Entries.of("fieldPath", field).map()).map())
        .map();
  }

  private static Map<String, Object> privileged() {
    return Entries.of("privileged", true).map();
  }

  private static Map<String, Object> confined() {
    return Entries.of("allowPrivilegeEscalation", false)
        .put("readOnlyRootFilesystem", true)
        .put("capabilities", Entries.of("drop", List.of("ALL")).map())
        .map();
  }
}
