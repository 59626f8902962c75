package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What there is: records, data, mounts, devices, run directory, targets; with names in place of
 * ids, so that two lives of a driver can be compared.
 *
 * @param committed what is promised to last
 * @param node what a node has of it
 */
record CrashPicture(List<String> committed, List<String> node) {
  /** Takes it, and makes sure that what is listed is what is on disk, and nothing half made. */
  static CrashPicture of(CrashWorld world) throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    List<String> committed = committed(world, names);
    return new CrashPicture(committed, sorted(node(world.root(), names)));
  }

  /** What is promised to last, alone. */
  static List<String> committed(CrashWorld world) throws IOException {
    return committed(world, new LinkedHashMap<>());
  }

  private static List<String> committed(CrashWorld world, Map<String, String> names)
      throws IOException {
    Path root = world.root();
    Map<Path, Record> records = new LinkedHashMap<>();
    for (String kind : List.of("volumes", "snapshots", "groups")) {
      for (Path folder : entries(root.resolve("state").resolve(kind))) {
        Record record = record(folder);
        records.put(folder, record);
        names.put(record.getFolder(), name(record, names));
      }
    }
    assertThat(entries(root.resolve("state/pending"))).as("pending").isEmpty();
    assertListed(world.driver().client(), records);
    List<String> committed = new ArrayList<>();
    for (Map.Entry<Path, Record> entry : records.entrySet()) {
      Record plain = entry.getValue().toBuilder().clearCreated().build();
      committed.add(lines(named(plain.toString(), names)));
      committed.add(named(data(entry.getKey(), plain), names));
    }
    return sorted(committed);
  }

  // The framework puts the sources of a group in the order of their ids, which are random.
  private static String lines(String text) {
    return text.lines().sorted().toList().toString();
  }

  private static void assertListed(Client client, Map<Path, Record> records) {
    TreeSet<String> volumes = new TreeSet<>();
    TreeSet<String> snapshots = new TreeSet<>();
    for (Record record : records.values()) {
      switch (record.getKindCase()) {
        case VOLUME -> volumes.add(record.getId());
        case SNAPSHOT -> snapshots.add(record.getId());
        default -> assertThat(record.hasGroup()).isTrue();
      }
    }
    assertThat(listedVolumes(client)).containsExactlyElementsOf(volumes);
    assertThat(listedSnapshots(client)).containsExactlyElementsOf(snapshots);
  }

  static List<String> listedVolumes(Client client) {
    return client
        .controller()
        .listVolumes(ListVolumesRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getVolume().getVolumeId())
        .sorted()
        .toList();
  }

  static List<String> listedSnapshots(Client client) {
    return client
        .controller()
        .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getSnapshot().getSnapshotId())
        .sorted()
        .toList();
  }

  /** The ids of the groups on disk. */
  static List<String> groups(Path root) throws IOException {
    List<String> ids = new ArrayList<>();
    for (Path folder : entries(root.resolve("state/groups"))) {
      ids.add(record(folder).getId());
    }
    return ids;
  }

  static List<String> membersOf(Path root, String group) throws IOException {
    return record(root.resolve("state/groups").resolve(group)).getGroup().getSnapshotIdsList();
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    }
  }

  private static Record record(Path folder) throws IOException {
    return TextFormat.parse(Files.readString(folder.resolve("record")), Record.class);
  }

  // Volumes come first, so the source of a member has its name already.
  private static String name(Record record, Map<String, String> names) {
    if (!record.getName().isEmpty()) {
      return "<" + record.getName() + ">";
    }
    return record.hasSnapshot()
        ? "<member of " + names.get(record.getSnapshot().getSourceVolumeId()) + ">"
        : "<" + record.getId() + ">";
  }

  private static String named(String text, Map<String, String> names) {
    String result = text;
    for (Map.Entry<String, String> entry : names.entrySet()) {
      result = result.replace(entry.getKey(), entry.getValue());
    }
    return result;
  }

  /** The tree of a directory, and the size of a file. */
  private static String data(Path folder, Record record) throws IOException {
    Path data = folder.resolve("data");
    if (record.hasGroup()) {
      return "";
    }
    if (record.getBacking() != Backing.DIRECTORY) {
      assertThat(data).isRegularFile();
      assertThat(Files.size(data)).as("%s", data).isGreaterThanOrEqualTo(record.getSizeBytes());
      return "";
    }
    return "data of " + record.getFolder() + ": " + tree(data);
  }

  private static String tree(Path top) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path entry : entries(top)) {
      if (!entry.endsWith("lost+found")) {
        found.add(entry.getFileName() + "=" + Files.readString(entry));
      }
    }
    return found.toString();
  }

  private static List<String> node(Path root, Map<String, String> names) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Mount mount : MountTable.read().below(root)) {
      String where = mount.target() + (mount.readOnly() ? " ro" : " rw");
      lines.add(named("mount " + where, names));
      if (Files.isDirectory(mount.target(), LinkOption.NOFOLLOW_LINKS)) {
        lines.add("seen " + where + " " + tree(mount.target()));
        if (!mount.readOnly()) {
          Thaw.assertTakesWrites(mount.target());
        }
      }
    }
    Loops.below(root).values().forEach(file -> lines.add(named("device of " + file, names)));
    for (String folder : List.of("run/staged", "run/publications")) {
      for (Path entry : entries(root.resolve(folder))) {
        lines.add(named(Files.readString(entry), names));
      }
    }
    Path pods = root.resolve("kubelet/pods");
    if (Files.isDirectory(pods)) {
      for (Path pod : entries(pods)) {
        Path target = pod.resolve("volumes/kubernetes.io~csi/data/mount");
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
          lines.add("target " + target);
        }
      }
    }
    return lines;
  }

  private static List<String> sorted(List<String> lines) {
    Collections.sort(lines);
    return List.copyOf(lines);
  }
}
