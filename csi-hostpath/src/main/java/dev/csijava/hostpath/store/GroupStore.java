package dev.csijava.hostpath.store;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of snapshots, each all or nothing: the record of the group is what commits its members. A
 * member without that record is one that a crash left, and the next start drops it; so a crash at
 * any step leaves all or none. Safe for use by several threads.
 */
public final class GroupStore {
  private static final Logger log = LoggerFactory.getLogger(GroupStore.class);

  private final ObjectStore groups;
  private final ObjectStore snapshots;
  private final Steps steps;

  GroupStore(ObjectStore groups, ObjectStore snapshots, Steps steps) {
    this.groups = groups;
    this.snapshots = snapshots;
    this.steps = steps;
  }

  /**
   * One snapshot to be.
   *
   * @param draft size, backing and details; its name is taken away
   * @param maker makes the data
   */
  public record Member(Record draft, DataMaker maker) {}

  /** The group that has this id. */
  public Optional<Record> byId(String id) {
    return groups.byId(id);
  }

  /** The group that has this name. */
  public Optional<Record> byName(String name) {
    return groups.byName(name);
  }

  /** How many groups there are. */
  public int size() {
    return groups.size();
  }

  /** The members that are there, in the order of the request that made the group. */
  public List<Record> members(Record group) {
    return group.getGroup().getSnapshotIdsList().stream()
        .flatMap(id -> snapshots.byId(id).stream())
        .toList();
  }

  /** Whether an id may be that of a group: only such a one is looked for on the disk. */
  static boolean isGroupId(String id) {
    return id.matches("group-[0-9a-f]{32}");
  }

  /**
   * Cuts all members and commits them together, on disk when this returns.
   *
   * @param draft the name, the creation time and the request
   * @return the committed record of the group
   * @throws CsiException as {@link ObjectStore#create}; no member is left then
   */
  public Record create(Record draft, List<Member> members) {
    return groups.underName(draft, () -> createNamed(draft, members));
  }

  private Record createNamed(Record draft, List<Member> members) {
    Record unlisted = groups.whole(draft);
    List<Record> records = new ArrayList<>();
    GroupDetails.Builder details = draft.getGroup().toBuilder().clearSnapshotIds();
    for (Member member : members) {
      Record.Builder record = snapshots.whole(member.draft()).toBuilder().clearName();
      record.setCreated(unlisted.getCreated());
      record.getSnapshotBuilder().setGroupId(unlisted.getId());
      details.addSnapshotIds(record.getId());
      records.add(record.build());
    }
    Record group = unlisted.toBuilder().setGroup(details).build();
    boolean committed = false;
    try {
      makeMembers(members, records);
      groups.commit(group, data -> {});
      committed = true;
    } catch (IOException e) {
      throw DiskErrors.nothingLeft("make the group of snapshots", e);
    } finally {
      if (!committed) {
        records.forEach(snapshots.folders()::undo);
      }
    }
    records.forEach(snapshots::add);
    groups.add(group);
    return group;
  }

  private void makeMembers(List<Member> members, List<Record> records) throws IOException {
    ObjectFolders folders = snapshots.folders();
    for (int i = 0; i < records.size(); i++) {
      folders.make(records.get(i), members.get(i).maker());
    }
    steps.reached(Steps.Step.MEMBERS_MADE);
    for (Record record : records) {
      folders.moveHome(record);
    }
    folders.sync();
    steps.reached(Steps.Step.MEMBERS_MOVED);
  }

  /**
   * Deletes a group and all its members: gone when this returns, their data removed later. Nothing
   * happens if it is gone already.
   *
   * @throws CsiException as {@link ObjectStore#delete}, and group and members are as before
   */
  public void delete(Record group) {
    List<Record> members = members(group);
    groups.delete(group);
    steps.reached(Steps.Step.GROUP_DELETED);
    for (Record member : members) {
      // Gone for callers with the group's record, whatever the disk says to its folder.
      snapshots.forget(member.getId());
      try {
        snapshots.folders().delete(member);
      } catch (IOException | CsiException e) {
        log.warn("{} stays until the next start", snapshots.folder(member), e);
      }
    }
  }
}
