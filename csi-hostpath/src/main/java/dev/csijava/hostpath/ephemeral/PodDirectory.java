package dev.csijava.hostpath.ephemeral;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** Kubelet's directory of the pod that an inline volume belongs to. */
public final class PodDirectory {
  private static final String PLUGIN = "kubernetes.io~csi";

  private PodDirectory() {}

  /** The {@code R/pods/UID} of a target {@code R/pods/UID/volumes/kubernetes.io~csi/NAME/mount}. */
  public static Optional<Path> of(Path target) {
    Path plugin = up(up(target));
    Path volumes = up(plugin);
    Path pod = up(volumes);
    Path pods = up(pod);
    return isNamed(plugin, PLUGIN) && isNamed(volumes, "volumes") && isNamed(pods, "pods")
        ? Optional.of(pod)
        : Optional.empty();
  }

  /**
   * Whether the pod surely is gone: kubelet's directory of pods is there to be seen, and the pod's
   * is not in it. A file system that does not answer is no proof.
   */
  public static boolean isGone(Path pod) {
    return Files.isDirectory(up(pod), LinkOption.NOFOLLOW_LINKS)
        && Files.notExists(pod, LinkOption.NOFOLLOW_LINKS);
  }

  private static Path up(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  private static boolean isNamed(Path path, String name) {
    return path.getFileName() != null && path.getFileName().toString().equals(name);
  }
}
