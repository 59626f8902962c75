package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.stage;

import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** NodeStageVolume. */
final class StageCases implements CaseGroup {
  private static final String FLAG = "noatime";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-STAGE-001", c -> c.ok(() -> stage(c, attached(c).stageRequest()))),
        Case.of(
            "NODE-STAGE-002",
            c -> c.refused(() -> stage(c, attached(c).stageRequest().setVolumeId("")))),
        Case.of(
            "NODE-STAGE-003",
            c -> c.refused(() -> stage(c, attached(c).stageRequest().setStagingTargetPath("")))),
        Case.of(
            "NODE-STAGE-004",
            c -> c.refused(() -> stage(c, attached(c).stageRequest().clearVolumeCapability()))),
        Case.of("NODE-STAGE-005", StageCases::unknownVolume),
        Case.of("NODE-STAGE-006", StageCases::again),
        Case.of("NODE-STAGE-007", StageCases::againOtherwise),
        Case.of(
            "NODE-STAGE-008",
            c -> {
              VolumeCapability unservable = NodeSteps.unservable(c);
              NodeSteps.unserved(
                  c,
                  Outcome.of(
                      () -> stage(c, attached(c).stageRequest().setVolumeCapability(unservable))));
            }),
        Case.of("NODE-STAGE-009", StageCases::badPaths),
        Case.of("NODE-STAGE-010", StageCases::pathOf128Bytes),
        Case.of("NODE-STAGE-011", StageCases::mountFlags),
        Case.of(
            "NODE-STAGE-012",
            c ->
                c.refusedOrIgnored(
                    "a key in volume_context that is not the volume's",
                    () ->
                        stage(
                            c,
                            attached(c)
                                .stageRequest()
                                .putAllVolumeContext(NodeSteps.STRANGE_CONTEXT)))),
        Case.of(
            "mount-group",
            "A volume_mount_group is handed to the mount, and the group can write",
            StageCases::mountGroup,
            "NODE-STAGE-013",
            "NODE-STAGE-014"));
  }

  private static OnNode attached(CaseContext c) {
    return c.make().onNode().attach(c.make().volume(), c.requests().capability());
  }

  private static void unknownVolume(CaseContext c) {
    String path = c.make().onNode().stagingPath();
    OnNode template = attached(c);
    c.refused(
        () ->
            stage(
                c,
                template
                    .stageRequest()
                    .setVolumeId(c.requests().unknownId())
                    .setStagingTargetPath(path)));
  }

  private static void again(CaseContext c) {
    OnNode volume = attached(c);
    for (int i = 0; i < 3; i++) {
      c.ok(() -> stage(c, volume.stageRequest()));
    }
  }

  private static void againOtherwise(CaseContext c) {
    OnNode volume = NodeSteps.forBothModes(c);
    c.prepare(() -> stage(c, volume.stageRequest()));
    Kept.Place before = Kept.place(c, volume.stagingPath());
    VolumeCapability reader = NodeSteps.reader(c);
    Outcome<?> outcome =
        Outcome.of(() -> stage(c, volume.stageRequest().setVolumeCapability(reader)));
    before.stays(c);
    String target = c.make().onNode().targetPath();
    if (outcome.ok()) {
      // A staging that serves both is not incompatible with either; so it must serve the reader.
      Outcome<?> read =
          Outcome.of(
              () ->
                  NodeSteps.publish(c, volume.publishRequest(target).setVolumeCapability(reader)));
      c.check(read.ok(), "ALREADY_EXISTS, or a staging that a reader can use as well", read);
      c.note("NODE-STAGE-007", "seen: OK, for a staging that serves writers and readers alike");
      return;
    }
    c.judge("NODE-STAGE-007", outcome, false);
    Outcome<?> used = Outcome.of(() -> NodeSteps.publish(c, volume.publishRequest(target)));
    c.check(used.ok(), "a volume that is staged as before", used);
  }

  private static void badPaths(CaseContext c) throws IOException {
    OnNode volume = attached(c);
    c.refused(() -> stage(c, volume.stageRequest().setStagingTargetPath(NodeSteps.RELATIVE)));
    c.make().onNode().needFiles();
    Path file = Path.of(c.make().onNode().stagingPath()).resolve("file");
    Files.createFile(file);
    try {
      Outcome<?> outcome =
          Outcome.of(() -> stage(c, volume.stageRequest().setStagingTargetPath(file.toString())));
      c.check(
          !outcome.ok() && Codes.answered(outcome.code()), "a refusal to stage at a file", outcome);
      c.note("NODE-STAGE-009", "seen for a file: " + outcome.code());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void pathOf128Bytes(CaseContext c) throws IOException {
    c.make().onNode().needFiles();
    OnNode volume = attached(c);
    Path path = Path.of(NodeSteps.of128Bytes(volume.stagingPath()));
    Files.createDirectories(path);
    try {
      c.ok(() -> stage(c, volume.stageRequest().setStagingTargetPath(path.toString())));
      NodeSteps.unstage(c, volume.volume().getVolumeId(), path.toString());
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static void mountFlags(CaseContext c) {
    VolumeCapability capability = withFlag(c);
    OnNode volume =
        c.make()
            .onNode()
            .attach(
                c.make().supportedVolume(capability, "volumes with mount flag " + FLAG),
                capability);
    c.ok(() -> stage(c, volume.stageRequest()));
    Set<String> options = SeenMounts.optionsAt(volume.stagingPath()).orElse(Set.of());
    if (options.isEmpty()) {
      c.note("NODE-STAGE-011", "no mount is seen at the staging path, so no options were compared");
    } else {
      c.check(options.contains(FLAG), "mounted with " + FLAG, options);
    }
  }

  /** As configured, with a mount flag that every file system knows. */
  static VolumeCapability withFlag(CaseContext c) {
    c.need(
        c.settings().accessType() == Settings.AccessType.MOUNT,
        "block volumes have no mount flags");
    VolumeCapability capability = c.requests().capability();
    return capability.toBuilder()
        .setMount(capability.getMount().toBuilder().addMountFlags(FLAG))
        .build();
  }

  private static void mountGroup(CaseContext c) throws IOException {
    c.need(
        c.settings().accessType() == Settings.AccessType.MOUNT,
        "block volumes have no mount group");
    VolumeCapability plain = c.requests().capability();
    VolumeCapability grouped =
        plain.toBuilder()
            .setMount(plain.getMount().toBuilder().setVolumeMountGroup("2345"))
            .build();
    OnNode volume = c.make().onNode().attach(c.make().volume(), grouped);
    if (!volume.stagingPath().isEmpty()) {
      NodeStageVolumeResponse staged =
          c.ok("NODE-STAGE-013", () -> stage(c, volume.stageRequest()));
      c.check("NODE-STAGE-013", staged.isInitialized(), "staged", staged);
    }
    String target = c.make().onNode().targetPath();
    c.ok("NODE-STAGE-013", () -> NodeSteps.publish(c, volume.publishRequest(target)));
    NodeSteps.needMount(c, target);
    Path file = Files.createFile(Path.of(target).resolve("csi-testkit"));
    try {
      Object group = Files.getAttribute(file, "unix:gid");
      c.check("NODE-STAGE-014", group.equals(2345), "a new file of group 2345", group);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
