package dev.csijava.hostpath.admin;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.admin.state.ListedFolder;
import dev.csijava.hostpath.admin.state.ListedVolume;
import dev.csijava.hostpath.admin.state.VolumeListing;
import dev.csijava.hostpath.ephemeral.PodDirectory;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.InlineDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateListing;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What lies in a state directory, beside what the kernel and the run directory say of it. Changes
 * nothing.
 *
 * @param listing of the state directory
 * @param entries of the run directory, by volume id
 * @param known ids that somebody outside knows; empty if nobody said
 */
record VolumeSurvey(
    StateListing listing,
    Map<String, List<String>> entries,
    Optional<Set<String>> known,
    AdminMachine machine) {
  VolumeListing make() {
    VolumeListing.Builder all = VolumeListing.newBuilder();
    Set<String> seen = new HashSet<>();
    Map<String, List<String>> snapshots = snapshotsBySource();
    for (StateListing.Entry entry : listing.volumes()) {
      Record record = entry.record();
      if (record != null) {
        all.addVolumes(
            volume(entry, record, isFirst(record, seen))
                .addAllSnapshots(snapshots.getOrDefault(record.getId(), List.of())));
      }
    }
    List<StateListing.Entry> unread = new ArrayList<>(listing.volumes());
    unread.addAll(listing.snapshots());
    unread.addAll(listing.groups());
    for (StateListing.Entry entry : unread) {
      if (entry.record() == null) {
        all.addFolders(folder(entry.folder(), "quarantined", entry.reason()));
      }
    }
    listing
        .pending()
        .forEach(path -> all.addFolders(folder(path, "pending", "dropped at the next start")));
    listing
        .trash()
        .forEach(path -> all.addFolders(folder(path, "trash", "deleted; being removed")));
    return all.build();
  }

  /** As a start has it: of two that claim one id or name, the first is served. */
  private static boolean isFirst(Record record, Set<String> seen) {
    boolean name = record.getName().isEmpty() || seen.add("name " + record.getName());
    return seen.add("id " + record.getId()) && name;
  }

  private static ListedFolder folder(Path path, String state, String reason) {
    return ListedFolder.newBuilder()
        .setFolder(path.toString())
        .setState(state)
        .setReason(reason)
        .build();
  }

  private Map<String, List<String>> snapshotsBySource() {
    return listing.snapshots().stream()
        .map(StateListing.Entry::record)
        .filter(Objects::nonNull)
        .collect(
            groupingBy(
                snapshot -> snapshot.getSnapshot().getSourceVolumeId(),
                mapping(Record::getId, toList())));
  }

  private ListedVolume.Builder volume(StateListing.Entry entry, Record record, boolean first) {
    Path data = entry.data();
    DiskUse use = DiskUse.of(data);
    ListedVolume.Builder volume =
        ListedVolume.newBuilder()
            .setId(record.getId())
            .setName(record.getName())
            .setFolder(entry.folder().toString())
            .setBacking(record.getBacking().name().toLowerCase(Locale.ROOT))
            .setSizeBytes(record.getSizeBytes())
            .setUsedBytes(use.bytes())
            .setUsedIsLeast(use.least())
            .addAllEntries(entries.getOrDefault(record.getId(), List.of()))
            .addAllNodes(
                record.getVolume().getAttachmentsList().stream()
                    .map(Attachment::getNodeId)
                    .toList())
            .setState(first ? state(record, data) : "duplicate");
    Users users = Users.of(data, record.getBacking() != Backing.DIRECTORY, machine);
    users.targets().forEach(target -> volume.addTargets(target.toString()));
    users.device().ifPresent(device -> volume.setDevice(device.node().toString()));
    return volume;
  }

  private String state(Record record, Path data) {
    if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
      return "no-data";
    }
    if (record.getVolume().hasInline()) {
      InlineDetails inline = record.getVolume().getInline();
      boolean gone =
          !inline.getPodDirectory().isEmpty()
              && PodDirectory.isGone(data.getFileSystem().getPath(inline.getPodDirectory()));
      return gone ? "pod-gone" : "inline";
    }
    return known.isPresent() && !known.get().contains(record.getId()) ? "unknown" : "ok";
  }

  /**
   * Who uses some data on this node.
   *
   * @param targets where it is mounted
   * @param device its loop device
   */
  record Users(List<Path> targets, Optional<LoopDevice> device) {
    static Users of(Path data, boolean file, AdminMachine machine) {
      List<Mount> mounts = new ArrayList<>(machine.mounts().showing(data));
      Optional<LoopDevice> device = Optional.empty();
      if (file) {
        try {
          device = machine.loops().find(data);
        } catch (CsiException e) {
          // Attached more than once or in part: not by this driver, and the mounts tell of it.
          device = Optional.of(new LoopDevice(Path.of("/dev/loop?"), data.toString(), true, false));
        }
        device.ifPresent(found -> mounts.addAll(machine.mounts().ofDevice(found.node())));
      }
      return new Users(mounts.stream().map(Mount::target).distinct().toList(), device);
    }
  }
}
