package dev.csijava.examples.existing;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Writes the objects that an administrator creates for the disks of a node. */
final class PersistentVolumes {
  private final String driver;
  private final Map.Entry<String, String> topology;
  private final Sizes sizes;

  PersistentVolumes(String driver, Map.Entry<String, String> topology, Sizes sizes) {
    this.driver = driver;
    this.topology = topology;
    this.sizes = sizes;
  }

  /** YAML, for kubectl apply; a disk that can't be used is a comment. */
  String of(List<Disk> disks) {
    StringBuilder yaml = new StringBuilder();
    for (Disk disk : disks) {
      // The names that are served, ids and driver names need no quotes.
      yaml.append("# ").append(disk.name());
      OptionalLong size = sizes.of(disk);
      if (size.isPresent()) {
        yaml.append('\n').append(of(disk, size.getAsLong())).append("---\n");
      } else {
        yaml.append(": ").append(disk.fault().orElse("its size can't be told")).append('\n');
      }
    }
    return yaml.toString();
  }

  private String of(Disk disk, long size) {
    return """
    apiVersion: v1
    kind: PersistentVolume
    metadata:
      name: existing-%s
    spec:
      capacity:
        storage: "%d"
      accessModes:
      - ReadWriteOnce
      volumeMode: %s
      persistentVolumeReclaimPolicy: Retain
      storageClassName: existing
      csi:
        driver: %s
        volumeHandle: "%s"
      nodeAffinity:
        required:
          nodeSelectorTerms:
          - matchExpressions:
            - key: %s
              operator: In
              values:
              - "%s"
    """
        .formatted(
            disk.id(),
            size,
            disk.kind() == Disk.Kind.BLOCK ? "Block" : "Filesystem",
            driver,
            disk.id(),
            topology.getKey(),
            topology.getValue());
  }
}
