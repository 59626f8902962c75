package dev.csijava.hostpath.groups;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.group.GroupSnapshots;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.hostpath.backing.GroupHold;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeData.Plan;
import dev.csijava.hostpath.backing.VolumeData.Source;
import dev.csijava.hostpath.controller.SnapshotMessages;
import dev.csijava.hostpath.controller.SnapshotParameters;
import dev.csijava.hostpath.controller.TakenOver;
import dev.csijava.hostpath.state.GroupDetails;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.GroupStore;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Snapshots of several volumes, all or none. */
public final class HostpathGroups implements GroupSnapshots {
  private static final Logger log = LoggerFactory.getLogger(HostpathGroups.class);
  private static final int ATTEMPTS = 3;
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final StateDirectory state;
  private final VolumeData data;
  private final SnapshotMessages messages;
  private final Function<List<Record>, GroupHold> holds;
  private final IdempotentCreate<CreateVolumeGroupSnapshotRequest, Record> creates;
  private final TakenOver takenOver;

  /**
   * @param data plans the members
   * @param holds holds volumes for all cuts of a group, none if one can't be held
   */
  public HostpathGroups(
      StateDirectory state,
      VolumeData data,
      SnapshotMessages messages,
      Function<List<Record>, GroupHold> holds) {
    this.state = state;
    this.data = data;
    this.messages = messages;
    this.holds = holds;
    this.takenOver = new TakenOver(state);
    this.creates =
        IdempotentCreate.ofGroupSnapshots(
            name ->
                state
                    .groups()
                    .byName(name)
                    .map(record -> new Made<>(record.getGroup().getRequest(), record)));
  }

  @Override
  public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request, CallContext call) {
    if (new HashSet<>(request.getSourceVolumeIdsList()).size()
        != request.getSourceVolumeIdsCount()) {
      throw CsiException.invalidArgument("source_volume_ids names a volume twice");
    }
    SnapshotParameters.require(request.getParametersMap());
    Record group =
        takenOver.group(request).orElseGet(() -> creates.findOrCreate(request, this::make));
    return CreateVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(message(group)).build();
  }

  private Record make(CreateVolumeGroupSnapshotRequest request) {
    List<Record> volumes =
        request.getSourceVolumeIdsList().stream()
            .map(
                id ->
                    state
                        .volumes()
                        .byId(id)
                        .orElseThrow(
                            () ->
                                CsiException.notFound(
                                    "source_volume_ids: one of the volumes does not exist; nothing"
                                        + " was cut")))
            .toList();
    Record draft =
        Record.newBuilder()
            .setName(request.getName())
            .setGroup(GroupDetails.newBuilder().setRequest(request))
            .build();
    boolean ignoreFailedRead = SnapshotParameters.ignoresFailedRead(request.getParametersMap());
    for (int attempt = 1; ; attempt++) {
      Attempt cut = new Attempt(volumes, ignoreFailedRead);
      try {
        return cut.make(draft);
      } catch (CsiException e) {
        if (!cut.changed || attempt == ATTEMPTS) {
          throw e;
        }
        log.info("the group {} is cut again: {}", request.getName(), e.getMessage());
      }
      pause(attempt);
    }
  }

  /** What writes now and then is given the time to have done so. */
  private static void pause(int attempt) {
    try {
      Thread.sleep(PAUSE.multipliedBy(attempt).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.aborted("the driver ends; nothing was cut");
    }
  }

  /** One try to cut all volumes as of one moment. */
  private final class Attempt {
    private final List<Record> volumes;
    private final boolean ignoreFailedRead;
    private boolean changed;

    Attempt(List<Record> volumes, boolean ignoreFailedRead) {
      this.volumes = volumes;
      this.ignoreFailedRead = ignoreFailedRead;
    }

    Record make(Record draft) {
      List<Record> byId = volumes.stream().sorted(Comparator.comparing(Record::getId)).toList();
      try (GroupHold held = holds.apply(byId)) {
        List<GroupStore.Member> members =
            new ArrayList<>(
                volumes.stream().map(volume -> member(volume, ignoreFailedRead)).toList());
        members.add(endingCut(members.removeLast(), held));
        return state.groups().create(draft, members);
      }
    }

    /** The volumes go on after the last cut: they need not wait until all of it is committed. */
    private GroupStore.Member endingCut(GroupStore.Member last, GroupHold held) {
      return new GroupStore.Member(
          last.draft(),
          data -> {
            last.maker().make(data);
            Optional<String> volume = held.changed();
            held.close();
            changed = volume.isPresent();
            if (changed) {
              throw CsiException.failedPrecondition(
                  "volume "
                      + volume.get()
                      + " was written to while the group was cut, so its snapshots would not be of"
                      + " one moment, and nothing was kept; of what can be written to meanwhile"
                      + " only the class parameter backing=image can be held still: use that, or"
                      + " stop what writes for a moment and try again");
            }
          });
    }
  }

  private GroupStore.Member member(Record volume, boolean ignoreFailedRead) {
    Plan plan = data.snapshot(new Source(volume, state.volumes()), ignoreFailedRead);
    Record draft =
        plan.draft().toBuilder()
            .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId(volume.getId()))
            .build();
    return new GroupStore.Member(draft, plan.maker(draft));
  }

  @Override
  public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request, CallContext call) {
    state
        .groups()
        .byId(request.getGroupSnapshotId())
        .ifPresentOrElse(
            group -> {
              requireMembers(group, request.getSnapshotIdsList());
              state.groups().delete(group);
            },
            () -> state.requireNoRemains(request.getGroupSnapshotId()));
    return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
  }

  @Override
  public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request, CallContext call) {
    Record group =
        state
            .groups()
            .byId(request.getGroupSnapshotId())
            .orElseThrow(() -> CsiException.notFound("there is no such group of snapshots"));
    requireMembers(group, request.getSnapshotIdsList());
    return GetVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(message(group)).build();
  }

  /** After the group was found, for callers leave the ids out where it is not there. */
  private static void requireMembers(Record group, List<String> ids) {
    if (ids.isEmpty()) {
      throw CsiException.invalidArgument("snapshot_ids is empty; name all members of the group");
    }
    if (!Set.copyOf(ids).equals(Set.copyOf(group.getGroup().getSnapshotIdsList()))) {
      throw CsiException.invalidArgument("snapshot_ids does not name just the group's members");
    }
  }

  private VolumeGroupSnapshot message(Record group) {
    return VolumeGroupSnapshot.newBuilder()
        .setGroupSnapshotId(group.getId())
        .setCreationTime(group.getCreated())
        .addAllSnapshots(state.groups().members(group).stream().map(messages::snapshot).toList())
        .setReadyToUse(true)
        .build();
  }
}
