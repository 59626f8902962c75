package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** GroupControllerGetCapabilities and CreateVolumeGroupSnapshot. */
final class GroupCases implements CaseGroup {
  private static final int NAME_BYTES = 128;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GROUP-CAPS-001", c -> c.ok(() -> capabilities(c))),
        Case.of("GROUP-CAPS-002", c -> c.ok(() -> capabilities(c))),
        Case.of("GROUP-CAPS-003", GroupCases::served),
        Case.of("GROUP-CREATE-001", c -> c.ok(() -> create(c, request(c)))),
        Case.of("GROUP-CREATE-002", c -> c.refused(() -> create(c, request(c).setName("")))),
        Case.of(
            "GROUP-CREATE-003", c -> c.refused(() -> create(c, request(c).clearSourceVolumeIds()))),
        Case.of("GROUP-CREATE-004", GroupCases::unknownVolume),
        Case.of("GROUP-CREATE-005", GroupCases::again),
        Case.of(
            "GROUP-CREATE-006",
            c -> {
              CreateVolumeGroupSnapshotRequest.Builder request = request(c);
              CreateVolumeGroupSnapshotRequest.Builder first = request.clone();
              String id = c.prepare(() -> create(c, first)).getGroupSnapshot().getGroupSnapshotId();
              Volume other = c.make().volume();
              c.refused(() -> create(c, request.addSourceVolumeIds(other.getVolumeId())));
              Outcome<String> again =
                  Outcome.of(() -> create(c, first).getGroupSnapshot().getGroupSnapshotId());
              c.check(again.ok() && again.answer().equals(id), "the group kept", again);
            }),
        Case.of("GROUP-CREATE-007", GroupCases::otherParameters),
        Case.of(
            "group-answer",
            "A group snapshot holds one complete, ready member for each volume",
            GroupCases::answer,
            "GROUP-CREATE-011",
            "GROUP-CREATE-012",
            "GROUP-CREATE-013",
            "GROUP-CREATE-015"),
        Case.of(
            "group-becomes-ready",
            "A group whose members are worked on is not ready, and becomes ready",
            GroupCases::becomesReady,
            "GROUP-CREATE-014",
            "GROUP-CREATE-016"),
        Case.of("GROUP-CREATE-020", GroupCases::restore),
        Case.of("GROUP-CREATE-021", GroupCases::longName),
        Case.of("GROUP-CREATE-023", GroupCases::strangeParameters),
        Case.of(
            "GROUP-CREATE-022",
            c -> {
              for (String banned : List.of("\u0000", "\u0007", "\u001b", "\u007f", "\u0085")) {
                c.refused(() -> create(c, request(c).setName(c.name() + banned)));
              }
            }));
  }

  private static Object capabilities(CaseContext c) {
    return c.group()
        .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance());
  }

  static CreateVolumeGroupSnapshotResponse create(
      CaseContext c, CreateVolumeGroupSnapshotRequest.Builder request) {
    return c.group().createVolumeGroupSnapshot(request.build());
  }

  private static CreateVolumeGroupSnapshotRequest.Builder request(CaseContext c) {
    return c.requests()
        .group(List.of(c.make().volume().getVolumeId(), c.make().volume().getVolumeId()));
  }

  private static void served(CaseContext c) {
    String unknown = c.requests().unknownId();
    List<Outcome<?>> outcomes =
        List.of(
            Outcome.of(() -> create(c, CreateVolumeGroupSnapshotRequest.newBuilder())),
            Outcome.of(() -> GroupMemberCases.delete(c, unknown, List.of(unknown))),
            Outcome.of(() -> GroupMemberCases.get(c, unknown, List.of(unknown))));
    for (Outcome<?> outcome : outcomes) {
      c.check(outcome.code() != Status.Code.UNIMPLEMENTED, "anything but UNIMPLEMENTED", outcome);
    }
  }

  private static void unknownVolume(CaseContext c) {
    Volume volume = c.make().volume();
    List<String> sources = List.of(volume.getVolumeId(), c.requests().unknownId());
    c.refused(() -> create(c, c.requests().group(sources)));
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      int left =
          c.controller()
              .listSnapshots(
                  ListSnapshotsRequest.newBuilder().setSourceVolumeId(volume.getVolumeId()).build())
              .getEntriesCount();
      c.same("GROUP-CREATE-004", 0, left);
    }
  }

  private static void again(CaseContext c) {
    CreateVolumeGroupSnapshotRequest.Builder request = request(c);
    VolumeGroupSnapshot first = c.ok(() -> create(c, request)).getGroupSnapshot();
    for (int i = 0; i < 3; i++) {
      VolumeGroupSnapshot same = c.ok(() -> create(c, request)).getGroupSnapshot();
      c.same("GROUP-CREATE-005", first.getGroupSnapshotId(), same.getGroupSnapshotId());
      c.same("GROUP-CREATE-005", first.getCreationTime(), same.getCreationTime());
      c.same("GROUP-CREATE-005", ids(first), ids(same));
    }
  }

  static Set<String> ids(VolumeGroupSnapshot group) {
    return group.getSnapshotsList().stream()
        .map(Snapshot::getSnapshotId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void otherParameters(CaseContext c) {
    CreateVolumeGroupSnapshotRequest.Builder request = request(c);
    String id = c.prepare(() -> create(c, request)).getGroupSnapshot().getGroupSnapshotId();
    boolean given = request.getParametersCount() > 0;
    Outcome<String> outcome =
        Outcome.of(
            () ->
                create(
                        c,
                        given
                            ? request.clearParameters()
                            : request.putParameters("csi-testkit-other", "value"))
                    .getGroupSnapshot()
                    .getGroupSnapshotId());
    c.need(
        outcome.code() != Status.Code.INVALID_ARGUMENT,
        "the driver accepts no other parameters than those configured");
    c.need(
        given || !outcome.ok() || !outcome.answer().equals(id),
        "the driver takes no notice of a made-up parameter; give --group-snapshot-parameters");
    c.judge("GROUP-CREATE-007", outcome, false);
  }

  private static void strangeParameters(CaseContext c) {
    Outcome<?> outcome =
        Outcome.of(() -> create(c, request(c).putParameters("csi-testkit-no-such-key", "value")));
    c.need(!outcome.ok(), "the driver takes any parameters");
    c.judge("GROUP-CREATE-023", outcome, false);
  }

  private static void answer(CaseContext c) {
    Volume one = c.make().volume();
    Volume two = c.make().volume();
    VolumeGroupSnapshot group = c.make().group(one, two);
    VolumeGroupSnapshot other = c.make().group(one);
    c.check("GROUP-CREATE-011", !group.getGroupSnapshotId().isEmpty(), "an id", group);
    c.check("GROUP-CREATE-011", group.hasCreationTime(), "a creation_time", group);
    c.check(
        "GROUP-CREATE-011",
        !group.getGroupSnapshotId().equals(other.getGroupSnapshotId()),
        "an id of its own",
        other);
    Set<String> sources =
        group.getSnapshotsList().stream()
            .map(Snapshot::getSourceVolumeId)
            .collect(Collectors.toCollection(TreeSet::new));
    c.same(
        "GROUP-CREATE-012", new TreeSet<>(List.of(one.getVolumeId(), two.getVolumeId())), sources);
    c.same("GROUP-CREATE-012", 2, group.getSnapshotsCount());
    for (Snapshot member : group.getSnapshotsList()) {
      c.check(
          "GROUP-CREATE-012",
          !member.getSnapshotId().isEmpty() && member.hasCreationTime(),
          "a complete snapshot",
          member);
      c.same("GROUP-CREATE-013", group.getGroupSnapshotId(), member.getGroupSnapshotId());
    }
    boolean all = group.getSnapshotsList().stream().allMatch(Snapshot::getReadyToUse);
    c.same("GROUP-CREATE-015", all, group.getReadyToUse());
  }

  private static void becomesReady(CaseContext c) {
    CreateVolumeGroupSnapshotRequest.Builder request = request(c);
    VolumeGroupSnapshot first = c.prepare(() -> create(c, request)).getGroupSnapshot();
    boolean all = first.getSnapshotsList().stream().allMatch(Snapshot::getReadyToUse);
    c.need(
        !all || !first.getReadyToUse(),
        "the snapshots were ready at once; nothing was worked on after the cut");
    c.check("GROUP-CREATE-014", !first.getReadyToUse(), "ready_to_use false", first);
    c.check("GROUP-CREATE-016", !all, "unfinished members are not ready", first);
    VolumeGroupSnapshot later =
        Patience.until(
            c.settings().callTimeout(),
            () -> c.prepare(() -> create(c, request)).getGroupSnapshot(),
            VolumeGroupSnapshot::getReadyToUse);
    c.check("GROUP-CREATE-016", later.getReadyToUse(), "ready in the end", later);
  }

  private static void restore(CaseContext c) {
    VolumeGroupSnapshot group = c.make().group(c.make().volume(), c.make().volume());
    for (Snapshot member : group.getSnapshotsList()) {
      c.ok(
          () ->
              c.controller()
                  .createVolume(
                      c.requests()
                          .volume()
                          .setVolumeContentSource(Requests.fromSnapshot(member.getSnapshotId()))
                          .build()));
    }
  }

  private static void longName(CaseContext c) {
    String start = c.name() + " \u00fc\u4e2d\u6587/.. ";
    int bytes = start.getBytes(StandardCharsets.UTF_8).length;
    String name = start + "n".repeat(NAME_BYTES - bytes);
    c.ok(() -> create(c, request(c).setName(name)));
  }
}
