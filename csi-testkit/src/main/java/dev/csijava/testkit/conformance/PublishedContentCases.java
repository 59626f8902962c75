package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.publish;

import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** NodePublishVolume: what then stands at the target. */
final class PublishedContentCases implements CaseGroup {
  private static final String CONTENT = "written through the target";
  private static final int UMOUNT_SECONDS = 20;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-PUB-026", PublishedContentCases::readonly),
        Case.of("NODE-PUB-027", PublishedContentCases::block),
        Case.of("NODE-PUB-028", PublishedContentCases::mount),
        Case.of("NODE-PUB-029", PublishedContentCases::targetIsMade),
        Case.of("NODE-PUB-030", PublishedContentCases::mountFlags),
        Case.of("NODE-PUB-034", PublishedContentCases::lostStaging));
  }

  private static void readonly(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = c.make().onNode().targetPath();
    c.ok(() -> publish(c, volume.publishRequest(target).setReadonly(true)));
    if (c.settings().accessType() == Settings.AccessType.BLOCK) {
      c.need(Files.isWritable(Path.of(target)), "no device is seen at the target");
      c.skip("NODE-PUB-026", "whether a device refuses writes is not tried, for its data");
      return;
    }
    if (!SeenMounts.isMounted(target)) {
      c.note("NODE-PUB-026", "no mount is seen at the target, so nothing was written");
      return;
    }
    try {
      Files.writeString(Path.of(target).resolve("csi-testkit"), CONTENT);
      c.check(false, "a write through the target fails", "it was written");
    } catch (IOException e) {
      c.check(true, "a write through the target fails", e);
    }
  }

  private static void block(CaseContext c) {
    VolumeCapability capability = c.requests().block(Mode.SINGLE_NODE_WRITER);
    OnNode volume =
        c.make().onNode().stage(c.make().supportedVolume(capability, "block volumes"), capability);
    String target = c.make().onNode().targetPath();
    c.ok(() -> publish(c, volume.publishRequest(target)));
    PathKind kind = c.make().onNode().kindAt(target);
    c.check(kind == PathKind.OTHER || kind == PathKind.FILE, "a block device at the target", kind);
    if (kind == PathKind.FILE) {
      c.note("NODE-PUB-027", "what is seen at the target is a file, no device");
    }
  }

  private static void mount(CaseContext c) {
    OnNode volume = mounted(c);
    String target = c.make().onNode().targetPath();
    c.ok(() -> publish(c, volume.publishRequest(target)));
    PathKind kind = c.make().onNode().kindAt(target);
    c.check(kind == PathKind.DIRECTORY, "a directory at the target", kind);
    if (!SeenMounts.isMounted(target)) {
      c.note("NODE-PUB-028", "no mount is seen at the target");
    }
  }

  private static OnNode mounted(CaseContext c) {
    if (!c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      return NodeSteps.usable(c);
    }
    VolumeCapability capability = c.requests().mount(Mode.SINGLE_NODE_WRITER);
    Volume volume = c.make().supportedVolume(capability, "mounted volumes");
    return c.make().onNode().stage(volume, capability);
  }

  private static void targetIsMade(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = c.make().onNode().targetPath();
    c.ok(() -> publish(c, volume.publishRequest(target)));
    c.check(
        c.make().onNode().kindAt(target) != PathKind.NOT_FOUND,
        "the target was made",
        "there is nothing at " + target);
  }

  private static void mountFlags(CaseContext c) {
    VolumeCapability capability = StageCases.withFlag(c);
    OnNode volume =
        c.make()
            .onNode()
            .stage(c.make().supportedVolume(capability, "volumes with mount flags"), capability);
    String target = c.make().onNode().targetPath();
    c.ok(() -> publish(c, volume.publishRequest(target)));
    Set<String> options = SeenMounts.optionsAt(target).orElse(Set.of());
    if (options.isEmpty()) {
      c.note("NODE-PUB-030", "no mount is seen at the target, so no options were compared");
    } else {
      List<String> asked = capability.getMount().getMountFlagsList();
      c.check(options.containsAll(asked), "mounted with " + asked, options);
    }
  }

  /** Writes to the volume, takes the mount at its staging path away, and publishes again. */
  private static void lostStaging(CaseContext c) throws IOException, InterruptedException {
    OnNode volume = NodeSteps.staged(c);
    NodeSteps.needMount(c, volume.stagingPath());
    String target = c.make().onNode().publish(volume);
    NodeSteps.needMount(c, target);
    Files.writeString(Path.of(target).resolve("csi-testkit"), CONTENT);
    c.make().onNode().unpublish(volume, target);
    c.need(umount(volume.stagingPath()), "the kit may not unmount");
    String again = c.make().onNode().targetPath();
    Outcome<?> outcome = c.answers("NODE-PUB-034", () -> publish(c, volume.publishRequest(again)));
    if (outcome.ok()) {
      Path file = Path.of(again).resolve("csi-testkit");
      String found = Files.exists(file) ? Files.readString(file) : "no such file";
      c.same("NODE-PUB-034", CONTENT, found);
    }
  }

  private static boolean umount(String path) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("umount", path)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(UMOUNT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }
}
