package dev.csijava.examples.network;

import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the administrator says of the file system. Whoever may write a StorageClass chooses mount
 * flags, but only among {@code allowed}, and can't override {@code options}.
 *
 * @param type the file system as mount(8) names it
 * @param source what is mounted, up to the folder of a volume, for example {@code server:/export}
 * @param options what every mount has
 * @param allowed the names of options that {@code mount_flags} may hold
 * @param credentialsOption the option that names the file with a volume's credentials; empty where
 *     the file system takes none
 * @param runDirectory where such files lie while a mount is made: on a tmpfs, for root only
 */
record NetworkSettings(
    String type,
    String source,
    List<String> options,
    Set<String> allowed,
    String credentialsOption,
    Path runDirectory) {

  private static final String NFS_FLAGS =
      "ro,noatime,nodiratime,nosuid,nodev,noexec,nfsvers,vers,proto,hard,timeo,retrans,rsize,wsize,"
          + "nconnect,sec";

  /** The settings of a process; the defaults are those for NFS. */
  static NetworkSettings from(Map<String, String> environment) {
    String source = environment.getOrDefault("NETWORK_SOURCE", "");
    if (source.isEmpty()) {
      throw new IllegalArgumentException("set NETWORK_SOURCE, for example to server:/export");
    }
    return new NetworkSettings(
        environment.getOrDefault("NETWORK_TYPE", "nfs"),
        source,
        split(environment.getOrDefault("NETWORK_OPTIONS", "nfsvers=4.2,hard,nosuid,nodev")),
        Set.copyOf(split(environment.getOrDefault("NETWORK_ALLOWED", NFS_FLAGS))),
        environment.getOrDefault("NETWORK_CREDENTIALS_OPTION", ""),
        Path.of(environment.getOrDefault("NETWORK_RUN", "/run/network.example.com")));
  }

  /** What a node mounts for a volume whose id was checked. */
  String sourceOf(String volumeId) {
    // The kernel shows no double slash, and what it shows is compared with this.
    String export = source.endsWith("/") ? source.substring(0, source.length() - 1) : source;
    return export + "/" + volumeId + "/" + ExportStore.DATA;
  }

  /** Why a capability can't be served, or nothing if it can. */
  Optional<String> refusal(VolumeCapability capability) {
    if (!capability.hasMount()) {
      return Optional.of("a network file system can't be had as a block device");
    }
    if (!Set.of("", type).contains(capability.getMount().getFsType())) {
      return Optional.of("the file system of these volumes is " + type);
    }
    return flags(capability).stream()
        .filter(flag -> !allowed.contains(nameOf(flag)))
        .findFirst()
        .map(flag -> "the mount flag is not allowed: " + nameOf(flag));
  }

  /** What a capability that is not refused is mounted with. What is fixed comes last and wins. */
  List<String> mountOptions(VolumeCapability capability, boolean readOnly) {
    List<String> all = new ArrayList<>(flags(capability));
    all.addAll(options);
    if (readOnly || isForReaders(capability.getAccessMode().getMode())) {
      all.add("ro");
    }
    return all;
  }

  private static boolean isForReaders(Mode mode) {
    return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
  }

  /** One option an entry, though callers may put several into one. */
  private static List<String> flags(VolumeCapability capability) {
    return split(capability.getMount().getMountFlagsList());
  }

  private static List<String> split(String text) {
    return text.isEmpty() ? List.of() : split(List.of(text));
  }

  private static List<String> split(Collection<String> entries) {
    return entries.stream().flatMap(entry -> Arrays.stream(entry.split(",", -1))).toList();
  }

  private static String nameOf(String option) {
    return option.split("=", 2)[0];
  }
}
