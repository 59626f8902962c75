package dev.csijava.hostpath.admin;

import dev.csijava.core.mount.LoopDevice;
import dev.csijava.hostpath.admin.state.GoGroup;
import dev.csijava.hostpath.admin.state.GoSnapshot;
import dev.csijava.hostpath.admin.state.GoState;
import dev.csijava.hostpath.admin.state.GoVolume;
import dev.csijava.hostpath.admin.state.ImportItem;
import dev.csijava.hostpath.admin.state.ImportPlan;
import dev.csijava.hostpath.admin.state.ImportStep;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.Staged;
import dev.csijava.hostpath.store.StateListing;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what an import is to do, and all that stands against it. Changes nothing; used once. */
final class ImportPlanner {
  private static final long MIB = 1L << 20;
  private static final long PAGE = 4096;

  private final OldData old;
  private final boolean oneMount;
  private final Set<String> skipped;
  private final ForeignRecords records;
  private final List<ImportItem> items = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();
  private final Set<String> names = new HashSet<>();

  /**
   * @param oneMount whether data can be moved by rename
   * @param skipped ids that stay where they are
   * @param existing what the new state directory has already
   */
  ImportPlanner(
      OldData old,
      boolean oneMount,
      Set<String> skipped,
      ForeignRecords records,
      StateListing existing) {
    this.old = old;
    this.oneMount = oneMount;
    this.skipped = Set.copyOf(skipped);
    this.records = records;
    claim("volume", existing.volumes());
    claim("snapshot", existing.snapshots());
    claim("group", existing.groups());
  }

  private void claim(String kind, List<StateListing.Entry> entries) {
    for (StateListing.Entry entry : entries) {
      Record record = entry.record();
      if (record != null) {
        taken.add(kind + " id " + record.getId());
        taken.add(kind + " name " + record.getName());
      }
    }
  }

  /** What is worth to be told though nothing stands against it. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * The plan for a state.
   *
   * @throws RefusedException with a line for everything that stands against it
   */
  ImportPlan plan(GoStateFile file) throws IOException, RefusedException {
    GoState state = file.state();
    for (GoVolume volume : state.getVolumesList()) {
      add(volume.getId(), "volume", () -> volume(volume));
    }
    for (GoSnapshot snapshot : state.getSnapshotsList()) {
      add(snapshot.getId(), "snapshot", () -> snapshot(snapshot, state));
    }
    for (GoGroup group : state.getGroupsList()) {
      add(group.getId(), "group", () -> group(group));
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(
          String.join("\n", problems)
              + "\nnothing was changed; --skip ID leaves a single one where it is");
    }
    return ImportPlan.newBuilder()
        .setSource(old.directory().toString())
        .setStateSha256(file.sha256())
        .addAllItems(items)
        .build();
  }

  private interface Work {
    @Nullable ImportItem plan() throws IOException, RefusedException;
  }

  private void add(String id, String kind, Work work) throws IOException {
    String what = kind + " " + OldData.printable(id);
    if (skipped.contains(id)) {
      notes.add(what + " is skipped and stays where it is");
      return;
    }
    try {
      ImportItem item = work.plan();
      if (item == null) {
        return;
      }
      Record record = item.getRecord();
      boolean free = taken.add(kind + " id " + record.getId());
      if (!record.getName().isEmpty()) {
        free &= taken.add(kind + " name " + record.getName());
      }
      if (!free || record.getId().isEmpty()) {
        throw new RefusedException("it has no id, or its id or name is taken already");
      }
      if (!item.getOldName().isEmpty() && !names.add(item.getOldName())) {
        throw new RefusedException("another object has the same file");
      }
      items.add(item);
    } catch (RefusedException e) {
      problems.add(what + ": " + e.getMessage());
    } catch (InvalidPathException e) {
      problems.add(what + ": a path of it can't be one: " + OldData.printable(e.getInput()));
    }
  }

  private ImportItem volume(GoVolume volume) throws IOException, RefusedException {
    String name = OldData.name(volume.getId(), volume.getPath(), "");
    boolean block = volume.getAccessType() == 1;
    if (block ? !old.isFile(name) : !old.isDirectory(name)) {
      throw new RefusedException(
          old.at(name) + " is not there, or is no " + (block ? "file" : "directory"));
    }
    long bytes = block ? wholePages(Math.max(volume.getSize(), old.size(name))) : volume.getSize();
    Record record = records.volume(volume, block ? Backing.BLOCK : Backing.DIRECTORY, bytes);
    List<Path> targets = old.targets(name);
    requireMovable(name, targets);
    ImportItem.Builder item =
        ImportItem.newBuilder()
            .setRecord(record)
            .setOldName(name)
            .setStep(oneMount ? ImportStep.MOVE : ImportStep.COPY);
    List<Path> leaked = new ArrayList<>(targets);
    for (String target : volume.getPublishedList()) {
      Path path = old.directory().getFileSystem().getPath(target);
      if (path.isAbsolute() && old.isShownAt(name, path)) {
        leaked.remove(path);
        item.addPublications(publication(record, target));
      }
    }
    if (block && old.device(name).isPresent()) {
      for (String staging : volume.getStagedList()) {
        item.addStaged(
            Staged.newBuilder()
                .setVolumeId(record.getId())
                .setFolder(record.getFolder())
                .setStagingPath(staging)
                .setReadonly(old.device(name).filter(LoopDevice::readOnly).isPresent()));
      }
    }
    leaked.forEach(
        path ->
            notes.add(
                "volume "
                    + volume.getId()
                    + " is mounted at "
                    + path
                    + ", which the Go driver does not know of; the mount stays"));
    return item.build();
  }

  /** A device has whole sectors, and one of this driver whole pages, so that all of it is there. */
  private static long wholePages(long bytes) {
    return bytes > Long.MAX_VALUE - PAGE ? bytes : (bytes + PAGE - 1) / PAGE * PAGE;
  }

  /** In which access mode it was asked for is not known. */
  private static Publication publication(Record record, String target) {
    return Publication.newBuilder()
        .setVolumeId(record.getId())
        .setFolder(record.getFolder())
        .setTargetPath(target)
        .build();
  }

  private void requireMovable(String name, List<Path> targets) throws RefusedException {
    if (old.isMountPoint(name)) {
      throw new RefusedException(old.at(name) + " itself is a mount; unmount it first");
    }
    if (oneMount) {
      return;
    }
    if (!targets.isEmpty()) {
      throw new RefusedException(
          "it is mounted at "
              + targets.getFirst()
              + ", and what is in use can't be copied to another file system; give a --statedir on"
              + " the file system of the old one");
    }
    if (old.device(name).isPresent()) {
      throw new RefusedException(
          "it is attached as "
              + old.device(name).get().node()
              + ", and what is in use can't be copied to another file system");
    }
  }

  private @Nullable ImportItem snapshot(GoSnapshot snapshot, GoState state)
      throws IOException, RefusedException {
    String name = OldData.name(snapshot.getId(), snapshot.getPath(), ".snap");
    if (!snapshot.getReady()) {
      notes.add("snapshot " + snapshot.getId() + " never became ready and stays where it is");
      return null;
    }
    if (!old.isFile(name)) {
      throw new RefusedException(old.at(name) + " is not there, or is no file");
    }
    boolean block = isBlock(snapshot, name, state);
    long bytes = block ? Math.max(snapshot.getSize(), old.size(name)) : snapshot.getSize();
    Record record =
        records.snapshot(
            snapshot, block ? Backing.BLOCK : Backing.DIRECTORY, bytes, isMember(snapshot, state));
    return ImportItem.newBuilder()
        .setRecord(record)
        .setOldName(name)
        .setStep(!block ? ImportStep.UNPACK : oneMount ? ImportStep.MOVE : ImportStep.COPY)
        .build();
  }

  /** The state does not say it; where the volume is gone too, the file itself has to. */
  private boolean isBlock(GoSnapshot snapshot, String name, GoState state)
      throws IOException, RefusedException {
    for (GoVolume volume : state.getVolumesList()) {
      if (volume.getId().equals(snapshot.getVolumeId())) {
        return volume.getAccessType() == 1;
      }
    }
    if (old.machine().unpacker().isArchive(old.at(name))) {
      return false;
    }
    // The Go driver makes block volumes of whole mebibytes, and says more after an expansion.
    long bytes = old.size(name);
    if (bytes == 0 || bytes % MIB != 0 || bytes > snapshot.getSize()) {
      throw new RefusedException(
          "its volume is gone, and "
              + old.at(name)
              + " is neither a whole archive nor as large as a block volume is");
    }
    return true;
  }

  private boolean isMember(GoSnapshot snapshot, GoState state) {
    return state.getGroupsList().stream()
        .filter(group -> !skipped.contains(group.getId()))
        .anyMatch(
            group ->
                group.getId().equals(snapshot.getGroupId())
                    && group.getSnapshotIdsList().contains(snapshot.getId()));
  }

  private ImportItem group(GoGroup group) throws RefusedException {
    List<String> members = new ArrayList<>();
    for (String id : group.getSnapshotIdsList()) {
      boolean there =
          items.stream()
              .map(ImportItem::getRecord)
              .anyMatch(r -> r.hasSnapshot() && r.getId().equals(id));
      if (there) {
        members.add(id);
      } else {
        notes.add("group " + group.getId() + " has lost its member " + OldData.printable(id));
      }
    }
    if (members.isEmpty()) {
      throw new RefusedException("none of its members is there");
    }
    return ImportItem.newBuilder().setRecord(records.group(group, members)).build();
  }
}
