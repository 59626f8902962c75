package dev.csijava.examples.lifecycle;

import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;

import dev.csijava.core.kubelet.KubeletPaths;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The story: a volume is made, staged, used by two pods, cut, restored, copied and taken apart
 * again. Only a table of steps; what they do stands in {@link Cast}.
 */
final class Lifecycle {
  private static final String NOTES = "pvc-notes";
  private static final String RESTORED = "pvc-restored";
  private static final String CLONE = "pvc-clone";
  private static final String SNAPSHOT = "snapshot-1";
  private static final String ANNA = "9a1f0f64-0000-4000-8000-00000000000a";
  private static final String BEN = "b3d20c71-0000-4000-8000-00000000000b";

  private final Cast cast;
  private final Path folder;
  private final List<Step> steps = new ArrayList<>();

  private Lifecycle(Cast cast, Path folder) {
    this.cast = cast;
    this.folder = folder;
  }

  /**
   * The steps, in their order.
   *
   * @param folder what is mounted below it is ours
   */
  static List<Step> steps(Cast cast, Path folder) {
    Lifecycle story = new Lifecycle(cast, folder);
    story.greeting();
    story.creation();
    story.use();
    story.copies();
    story.refusals();
    story.end();
    return List.copyOf(story.steps);
  }

  private void greeting() {
    chapter("Who is there?");
    call("GetPluginInfo", "", cast::pluginInfo);
    call("Probe", "", cast::probe);
    call("GetPluginCapabilities", "", cast::pluginCapabilities);
    call("ControllerGetCapabilities", "", cast::controllerCapabilities);
    call("NodeGetCapabilities", "", cast::nodeCapabilities);
    call("NodeGetInfo", "", cast::nodeInfo);
    call("GetCapacity", "", cast::capacity);
  }

  private void creation() {
    chapter("A volume is made, once however often it is asked for");
    call("CreateVolume", NOTES, () -> cast.create(NOTES, Requests.create(NOTES, Requests.SIZE)));
    call("CreateVolume", NOTES + " again", () -> cast.createAgain(NOTES));
    check("the second answer names the same volume", () -> cast.sameAgain(NOTES));
    call("ValidateVolumeCapabilities", NOTES, () -> cast.validate(NOTES));
    call("ListVolumes", "", () -> cast.listVolumes());
  }

  private void use() {
    chapter("It is staged where kubelet will look for it, and published to two pods");
    steps.add(new Step.Facts(this::stagingPath));
    stage(NOTES);
    publish(NOTES, ANNA, "pod anna");
    publish(NOTES, BEN, "pod ben");
    check(
        "what anna writes, ben reads",
        () -> {
          cast.write(NOTES, ANNA, "milk, eggs");
          return cast.read(NOTES, BEN).equals("milk, eggs");
        });
    call("NodeGetVolumeStats", NOTES, () -> cast.stats(NOTES, ANNA));
  }

  private void copies() {
    chapter("A snapshot keeps what was there, a clone takes what is there");
    call("CreateSnapshot", SNAPSHOT + " of " + NOTES, () -> cast.snapshot(SNAPSHOT, NOTES));
    check(
        "ben changes the file after the cut",
        () -> {
          cast.write(NOTES, BEN, "only milk");
          return cast.read(NOTES, ANNA).equals("only milk");
        });
    call(
        "CreateVolume",
        RESTORED + " from " + SNAPSHOT,
        () -> cast.create(RESTORED, Requests.restore(RESTORED, cast.id(SNAPSHOT))));
    call(
        "CreateVolume",
        CLONE + " from " + NOTES,
        () -> cast.create(CLONE, Requests.copy(CLONE, cast.id(NOTES))));
    stage(RESTORED);
    publish(RESTORED, ANNA, "pod anna");
    stage(CLONE);
    publish(CLONE, BEN, "pod ben");
    check(
        "the restored volume holds the old text",
        () -> cast.read(RESTORED, ANNA).equals("milk, eggs"));
    check("the clone holds the new text", () -> cast.read(CLONE, BEN).equals("only milk"));
  }

  private void refusals() {
    chapter("What must be refused, and changes nothing");
    refused("DeleteVolume", NOTES + ", in use", FAILED_PRECONDITION, () -> cast.delete(NOTES));
    refused(
        "CreateVolume",
        NOTES + ", twice the size",
        ALREADY_EXISTS,
        () -> cast.create("twice", Requests.create(NOTES, 2 * Requests.SIZE)));
    refused(
        "CreateVolume",
        "without a name",
        INVALID_ARGUMENT,
        () -> cast.create("nameless", Requests.create("", Requests.SIZE)));
    refused("NodeStageVolume", "a volume that is not there", NOT_FOUND, () -> cast.stageUnknown());
    check("ben still reads his text", () -> cast.read(NOTES, BEN).equals("only milk"));
  }

  private void end() {
    chapter("Everything is taken apart");
    unpublish(NOTES, ANNA, "pod anna");
    unpublish(NOTES, BEN, "pod ben");
    unpublish(RESTORED, ANNA, "pod anna");
    unpublish(CLONE, BEN, "pod ben");
    steps.add(new Step.Mounts());
    for (String volume : List.of(NOTES, RESTORED, CLONE)) {
      call("NodeUnstageVolume", volume, () -> cast.unstage(volume));
    }
    steps.add(new Step.Mounts());
    check("nothing is mounted", () -> OwnMount.below(folder).isEmpty());
    check(
        "the driver removed the pods' directories",
        () ->
            Files.notExists(cast.target(NOTES, ANNA)) && Files.notExists(cast.target(CLONE, BEN)));
    call("DeleteSnapshot", SNAPSHOT, () -> cast.deleteSnapshot(SNAPSHOT));
    for (String volume : List.of(NOTES, RESTORED, CLONE)) {
      call("DeleteVolume", volume, () -> cast.delete(volume));
    }
    call("DeleteVolume", NOTES + ", gone already", () -> cast.delete(NOTES));
    call("ListVolumes", "", () -> cast.listVolumes());
    check("no volume is left", () -> cast.listed() == 0);
  }

  private List<Step.Fact> stagingPath() {
    String id = cast.id(NOTES);
    Path staging = cast.paths().stagingPath(id);
    return List.of(
        new Step.Fact("volume id", id),
        new Step.Fact("its SHA-256", KubeletPaths.volumeHandleHash(id)),
        new Step.Fact("staging path", cast.paths().root().relativize(staging).toString()),
        new Step.Fact("below", cast.paths().root().toString()));
  }

  private void stage(String volume) {
    call("NodeStageVolume", volume, () -> cast.stage(volume));
    steps.add(new Step.Mounts());
  }

  private void publish(String volume, String pod, String podName) {
    call("NodePublishVolume", volume + " to " + podName, () -> cast.publish(volume, pod));
    steps.add(new Step.Mounts());
  }

  private void unpublish(String volume, String pod, String podName) {
    call("NodeUnpublishVolume", volume + " from " + podName, () -> cast.unpublish(volume, pod));
  }

  private void chapter(String title) {
    steps.add(new Step.Chapter(title));
  }

  private void call(String rpc, String about, Step.Action action) {
    steps.add(new Step.Call(rpc, about, OK, action));
  }

  private void refused(String rpc, String about, Status.Code code, Step.Action action) {
    steps.add(new Step.Call(rpc, about, code, action));
  }

  private void check(String claim, Step.Proof proof) {
    steps.add(new Step.Check(claim, proof));
  }
}
