package dev.csijava.core.kubelet;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Where kubelet puts the volumes of one driver on a node, and the ids that it derives.
 *
 * <p>All paths are absolute and those of the <em>host</em>: a driver in a container sees the same
 * ones only when kubelet's root directory is mounted there under its own name. They tell callers,
 * simulators, tests and tools where kubelet will look; a driver must <b>not</b> derive a volume
 * from a path, nor insist on these paths: take the path of the request and look the volume up by
 * its id. Kubelets before 1.24 staged below {@code plugins/kubernetes.io/csi/pv/<PV name>}.
 *
 * <p>Immutable and safe for use by several threads. Nothing here touches a disk or blocks. A name
 * that becomes a component of a path (driver, PersistentVolume, pod UID, volume in a pod) must be
 * one: not empty, not {@code .} or {@code ..}, without {@code /} and NUL. So no result ever lies
 * outside the root. A volume handle may be any string, since only its hash becomes a name.
 *
 * @since 0.1.0
 */
public final class KubeletPaths {
  private static final String DEFAULT_ROOT = "/var/lib/kubelet";
  private static final String DATA = "vol_data.json";
  private static final HexFormat HEX = HexFormat.of();

  /** One a thread: looking a digest up costs more than hashing a handle. */
  private static final ThreadLocal<MessageDigest> SHA_256 =
      ThreadLocal.withInitial(KubeletPaths::sha256);

  private final Path root;
  private final String driverName;
  private final Path pods;
  private final Path staging;
  private final Path volumeDevices;
  private final Path registrationSocket;

  private KubeletPaths(Path root, String driverName) {
    this.root = root;
    this.driverName = driverName;
    this.pods = root.resolve("pods");
    Path csi = root.resolve("plugins/kubernetes.io/csi");
    this.staging = csi.resolve(driverName);
    this.volumeDevices = csi.resolve("volumeDevices");
    this.registrationSocket =
        root.resolve("plugins_registry").resolve(registrationSocketName(driverName));
  }

  /**
   * The paths of a driver below {@code /var/lib/kubelet}.
   *
   * @param driverName the driver's name as GetPluginInfo gives it
   * @throws IllegalArgumentException if the name can't be a component of a path
   * @since 0.1.0
   */
  public static KubeletPaths of(String driverName) {
    return of(Path.of(DEFAULT_ROOT), driverName);
  }

  /**
   * The paths of a driver below kubelet's {@code --root-dir}.
   *
   * @param kubeletRoot absolute, of any file system; all results are of the same one
   * @param driverName the driver's name as GetPluginInfo gives it
   * @throws IllegalArgumentException if the root is not absolute or the name can't be a component
   *     of a path
   * @since 0.1.0
   */
  public static KubeletPaths of(Path kubeletRoot, String driverName) {
    if (!kubeletRoot.isAbsolute()) {
      throw new IllegalArgumentException(
          "kubelet's root directory must be absolute, but is \"" + kubeletRoot + "\"");
    }
    String fault = faultOf(driverName);
    if (fault != null) {
      throw new IllegalArgumentException("the driver's name " + fault);
    }
    return new KubeletPaths(kubeletRoot.normalize(), driverName);
  }

  /**
   * Kubelet's root directory.
   *
   * @since 0.1.0
   */
  public Path root() {
    return root;
  }

  /**
   * The driver whose paths these are.
   *
   * @since 0.1.0
   */
  public String driverName() {
    return driverName;
  }

  /**
   * The {@code staging_target_path} of a volume with a file system. Kubelet makes the directory.
   *
   * @param volumeHandle the volume's id; any string
   * @since 0.1.0
   */
  public Path stagingPath(String volumeHandle) {
    return staging.resolve(volumeHandleHash(volumeHandle) + "/globalmount");
  }

  /**
   * The {@code vol_data.json} that belongs to {@link #stagingPath}; it lies beside it.
   *
   * @param volumeHandle the volume's id; any string
   * @since 0.1.0
   */
  public Path stagingData(String volumeHandle) {
    return staging.resolve(volumeHandleHash(volumeHandle) + "/" + DATA);
  }

  /**
   * The {@code target_path} of a volume with a file system, inline volumes included. Kubelet makes
   * its parent, the driver makes and removes the directory itself.
   *
   * @param podUid the pod's UID
   * @param volumeName the name of the PersistentVolume; of an inline volume its name in the pod
   * @throws CsiException INVALID_ARGUMENT if a name can't be a component of a path
   * @since 0.1.0
   */
  public Path publishPath(String podUid, String volumeName) {
    return podVolume(podUid, volumeName, "/mount");
  }

  /**
   * The {@code vol_data.json} that belongs to {@link #publishPath}; it lies in its parent.
   *
   * @param podUid the pod's UID
   * @param volumeName as for {@link #publishPath}
   * @throws CsiException INVALID_ARGUMENT if a name can't be a component of a path
   * @since 0.1.0
   */
  public Path publishData(String podUid, String volumeName) {
    return podVolume(podUid, volumeName, "/" + DATA);
  }

  /**
   * The {@code staging_target_path} of a raw block volume: a directory, which kubelet makes and
   * names in NodePublishVolume too, whether or not the driver keeps anything there.
   *
   * @param volumeName the name of the PersistentVolume
   * @throws CsiException INVALID_ARGUMENT if the name can't be a component of a path
   * @since 0.1.0
   */
  public Path blockStagingPath(String volumeName) {
    return below(volumeDevices, "staging/" + name(volumeName));
  }

  /**
   * The {@code target_path} of a raw block volume: a file, which the driver makes and removes.
   *
   * @param podUid the pod's UID
   * @param volumeName the name of the PersistentVolume
   * @throws CsiException INVALID_ARGUMENT if a name can't be a component of a path
   * @since 0.1.0
   */
  public Path blockPublishPath(String podUid, String volumeName) {
    return below(volumeDevices, "publish/" + name(volumeName) + "/" + uid(podUid));
  }

  /**
   * The directory in which kubelet keeps its references to a raw block volume of this node.
   *
   * @param volumeName the name of the PersistentVolume
   * @throws CsiException INVALID_ARGUMENT if the name can't be a component of a path
   * @since 0.1.0
   */
  public Path blockGlobalMap(String volumeName) {
    return below(volumeDevices, name(volumeName) + "/dev");
  }

  /**
   * The {@code vol_data.json} of a raw block volume.
   *
   * @param volumeName the name of the PersistentVolume
   * @throws CsiException INVALID_ARGUMENT if the name can't be a component of a path
   * @since 0.1.0
   */
  public Path blockData(String volumeName) {
    return below(volumeDevices, name(volumeName) + "/data/" + DATA);
  }

  /**
   * The link that kubelet makes for a pod that uses a raw block volume.
   *
   * @param podUid the pod's UID
   * @param volumeName the name of the PersistentVolume
   * @throws CsiException INVALID_ARGUMENT if a name can't be a component of a path
   * @since 0.1.0
   */
  public Path blockPodMap(String podUid, String volumeName) {
    return below(pods, uid(podUid) + "/volumeDevices/kubernetes.io~csi/" + name(volumeName));
  }

  /**
   * The socket on which kubelet looks for this driver's registration. The longest legal driver name
   * gives a path of 106 bytes below the default root; the kernel takes 107.
   *
   * @since 0.1.0
   */
  public Path registrationSocket() {
    return registrationSocket;
  }

  /**
   * The name of the VolumeAttachment object, which is the {@code attachmentID} of {@code
   * vol_data.json} as well.
   *
   * @param volumeHandle the volume's id; any string
   * @param nodeName the name of the Node object; any string
   * @since 0.1.0
   */
  public String attachmentName(String volumeHandle, String nodeName) {
    return "csi-" + volumeHandleHash(volumeHandle + driverName + nodeName);
  }

  /**
   * The volume id that kubelet makes up for an inline volume.
   *
   * @param podUid the pod's UID; any string
   * @param volumeName the volume's name in the pod; any string
   * @since 0.1.0
   */
  public static String ephemeralHandle(String podUid, String volumeName) {
    return "csi-" + volumeHandleHash(podUid + volumeName);
  }

  /**
   * The SHA-256 of a volume handle in UTF-8, as 64 lower-case hexadecimal digits: the name of its
   * staging directory.
   *
   * @param volumeHandle the volume's id; any string
   * @since 0.1.0
   */
  public static String volumeHandleHash(String volumeHandle) {
    byte[] utf8 = volumeHandle.getBytes(StandardCharsets.UTF_8);
    return HEX.formatHex(SHA_256.get().digest(utf8));
  }

  static String registrationSocketName(String driverName) {
    return driverName + "-reg.sock";
  }

  /** What keeps a string from being one component of a path; null when nothing does. */
  static @Nullable String faultOf(String component) {
    if (component.isEmpty()) {
      return "is empty";
    }
    if (component.equals(".") || component.equals("..")) {
      return "is \"" + component + "\"";
    }
    if (component.indexOf('/') >= 0) {
      return "contains a \"/\"";
    }
    return component.indexOf('\0') >= 0 ? "contains a NUL character" : null;
  }

  private Path podVolume(String podUid, String volumeName, String rest) {
    return below(pods, uid(podUid) + "/volumes/kubernetes.io~csi/" + name(volumeName) + rest);
  }

  private static Path below(Path base, String relative) {
    try {
      return base.resolve(relative);
    } catch (InvalidPathException e) {
      throw new CsiException(
          Status.Code.INVALID_ARGUMENT,
          "a name has characters that this system can't have in a path",
          e);
    }
  }

  private static String uid(String podUid) {
    return component("the pod's UID", podUid);
  }

  private static String name(String volumeName) {
    return component("the volume's name", volumeName);
  }

  private static String component(String what, String value) {
    String fault = faultOf(value);
    if (fault != null) {
      throw CsiException.invalidArgument(what + " can't be part of a path: it " + fault);
    }
    return value;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
