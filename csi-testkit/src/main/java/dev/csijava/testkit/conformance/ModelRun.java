package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.ModelWorld.SnapshotSlot;
import dev.csijava.testkit.conformance.ModelWorld.VolumeSlot;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the calls of one sequence in a world of its own, and holds every answer against the model.
 * What the specification leaves open the model learns from the answer. A call that nobody should
 * make, such as the deletion of a volume in use, is left out.
 */
final class ModelRun {
  private final CaseContext c;
  private final ModelWorld world;
  private final boolean attaches;
  private final boolean stages;
  private final boolean node;
  private final boolean online;

  /** An answer that the model does not allow. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message, null, false, false);
    }
  }

  private ModelRun(CaseContext context) {
    this.c = context;
    this.world = new ModelWorld(context);
    this.attaches =
        context.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME") && context.advertises("service:Node");
    this.node = context.advertises("service:Node");
    this.stages = node && context.advertises(NodeSteps.STAGES);
    this.online = context.advertises("plugin:VolumeExpansion.ONLINE");
  }

  /** What was wrong, or nothing; afterwards nothing of the sequence is left. */
  static Optional<String> of(CaseContext c, List<ModelStep> steps) {
    ModelRun run = new ModelRun(c);
    Optional<String> wrong = Optional.empty();
    int number = 0;
    try {
      for (ModelStep step : steps) {
        number++;
        run.make(step);
      }
      run.list();
    } catch (Violation e) {
      wrong = Optional.of("at call " + number + ": " + e.getMessage());
    }
    run.clear();
    return wrong;
  }

  private void make(ModelStep step) {
    VolumeSlot volume = world.volumes.get(step.volume());
    SnapshotSlot snapshot = world.snapshots.get(step.other());
    switch (step.kind()) {
      case CREATE -> create(volume, step.other() > 0);
      case RESTORE -> restore(volume, snapshot);
      case CLONE -> copy(volume, world.volumes.get((step.volume() + 1) % ModelStep.VOLUMES));
      case DELETE -> delete(volume);
      case SNAPSHOT -> cut(snapshot, volume);
      case DELETE_SNAPSHOT -> deleteSnapshot(snapshot);
      case EXPAND -> expand(volume);
      case ATTACH, DETACH -> attach(volume, step.kind() == ModelStep.Kind.ATTACH);
      case STAGE, UNSTAGE -> stage(volume, step.kind() == ModelStep.Kind.STAGE);
      case PUBLISH -> publish(volume, step.other());
      case UNPUBLISH -> unpublish(volume, step.other());
      case VALIDATE ->
          expect(
              "ValidateVolumeCapabilities of " + volume.id,
              Outcome.of(
                  () -> ValidateCases.validate(c, volume.volume(), c.requests().capability())),
              volume.there ? Code.OK : Code.NOT_FOUND);
      case LIST -> list();
    }
  }

  private static <T> void expect(String call, Outcome<T> outcome, Code... allowed) {
    if (!Set.of(allowed).contains(outcome.code())) {
      throw new Violation(call + ": expected " + List.of(allowed) + ", came " + outcome);
    }
  }

  private static void same(String what, Object expected, Object came) {
    if (!expected.equals(came)) {
      throw new Violation(what + ": expected " + expected + ", came " + came);
    }
  }

  private void create(VolumeSlot slot, boolean large) {
    long size = large ? c.settings().expandSize() : c.settings().size();
    CreateVolumeRequest request =
        c.requests().volume().setName(slot.name).setCapacityRange(Requests.atLeast(size)).build();
    created(slot, request, "", size);
  }

  private void restore(VolumeSlot slot, SnapshotSlot snapshot) {
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      CreateVolumeRequest request =
          c.requests()
              .volume()
              .setName(slot.name)
              .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
              .setVolumeContentSource(Requests.fromSnapshot(snapshot.id))
              .build();
      createdFrom(slot, request, snapshot.id, snapshot.there);
    }
  }

  private void copy(VolumeSlot slot, VolumeSlot from) {
    if (c.advertises("ctrl:CLONE_VOLUME") && from != slot) {
      CreateVolumeRequest request =
          c.requests()
              .volume()
              .setName(slot.name)
              .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
              .setVolumeContentSource(Requests.fromVolume(from.id))
              .build();
      createdFrom(slot, request, from.id, from.there);
    }
  }

  private void createdFrom(
      VolumeSlot slot, CreateVolumeRequest request, String source, boolean there) {
    if (there) {
      created(slot, request, source, c.settings().expandSize());
      return;
    }
    Outcome<Volume> outcome = make(request);
    if (slot.there) {
      // Whether the name or the source is looked at first is the driver's to choose.
      expect("CreateVolume again", outcome, Code.OK, Code.NOT_FOUND, Code.ALREADY_EXISTS);
    } else {
      expect("CreateVolume from nothing", outcome, Code.NOT_FOUND);
    }
  }

  private Outcome<Volume> make(CreateVolumeRequest request) {
    return Outcome.of(() -> c.controller().createVolume(request).getVolume());
  }

  private void created(VolumeSlot slot, CreateVolumeRequest request, String source, long size) {
    Outcome<Volume> outcome = make(request);
    boolean again = slot.there && slot.source.equals(source);
    if (!source.isEmpty() && !again && outcome.code() == Code.OUT_OF_RANGE) {
      return; // a driver may make nothing larger than its source, and may look at that first
    }
    if (!slot.there) {
      expect("CreateVolume of a new name", outcome, Code.OK);
      String id = outcome.answer().getVolumeId();
      if (world.withId(id).isPresent()) {
        throw new Violation("CreateVolume: two names have the id " + id);
      }
      slot.created(outcome.answer(), size, source);
      world.deleted.remove(id);
    } else if (!slot.source.equals(source)) {
      expect("CreateVolume from another source", outcome, Code.ALREADY_EXISTS);
    } else if (slot.grown || size < slot.required) {
      // The volume is as large as asked for, and yet was asked for in other words.
      expect("CreateVolume again", outcome, Code.OK, Code.ALREADY_EXISTS);
    } else if (size > slot.required) {
      // A driver that rounds up may have made the first one large enough.
      expect("CreateVolume, larger", outcome, Code.ALREADY_EXISTS, Code.OK);
      long came = outcome.ok() ? outcome.answer().getCapacityBytes() : 0;
      if (came != 0 && came < size) { // 0 is a size that nobody knows
        throw new Violation("CreateVolume, larger: came " + outcome.answer());
      }
    } else {
      expect("CreateVolume again", outcome, Code.OK);
    }
    if (slot.there && outcome.ok()) {
      same("the id of " + slot.name, slot.id, outcome.answer().getVolumeId());
    }
  }

  private void delete(VolumeSlot slot) {
    if (slot.there && slot.inUse()) {
      return;
    }
    Outcome<?> outcome = Outcome.of(() -> DeleteVolumeCases.delete(c, slot.id));
    if (slot.there && (world.hasSnapshots(slot) || world.hasCopies(slot.id))) {
      expect("DeleteVolume with copies", outcome, Code.OK, Code.FAILED_PRECONDITION);
    } else {
      expect("DeleteVolume", outcome, Code.OK);
    }
    if (slot.there && outcome.ok()) {
      slot.there = false;
      world.deleted.add(slot.id);
    }
  }

  private void cut(SnapshotSlot slot, VolumeSlot from) {
    if (!c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      return;
    }
    var request = c.requests().snapshot(from.id).setName(slot.name).build();
    Outcome<Snapshot> outcome =
        Patience.until(
            c.settings().callTimeout(),
            () -> Outcome.of(() -> c.controller().createSnapshot(request).getSnapshot()),
            one -> !one.ok() || one.answer().getReadyToUse());
    if (!from.there && !outcome.ok()) {
      // Which code says that there is no such volume is left open.
      if (!Codes.answered(outcome.code())) {
        throw new Violation("CreateSnapshot of nothing: expected a refusal, came " + outcome);
      }
    } else if (!slot.there) {
      if (!from.there) {
        throw new Violation("CreateSnapshot of nothing: expected a refusal, came " + outcome);
      }
      expect("CreateSnapshot", outcome, Code.OK);
      if (outcome.ok()) {
        slot.id = outcome.answer().getSnapshotId();
        slot.there = true;
        slot.sourceId = from.id;
      }
    } else if (!slot.sourceId.equals(from.id)) {
      expect("CreateSnapshot of another", outcome, Code.ALREADY_EXISTS);
    } else {
      expect("CreateSnapshot again", outcome, Code.OK);
      same("the id of " + slot.name, slot.id, outcome.answer().getSnapshotId());
    }
  }

  private void deleteSnapshot(SnapshotSlot slot) {
    if (!c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      return;
    }
    Outcome<?> outcome = Outcome.of(() -> SnapshotCases.delete(c, slot.id));
    if (slot.there && world.hasCopies(slot.id)) {
      expect("DeleteSnapshot with copies", outcome, Code.OK, Code.FAILED_PRECONDITION);
    } else {
      expect("DeleteSnapshot", outcome, Code.OK);
    }
    slot.there &= !outcome.ok();
  }

  private void expand(VolumeSlot slot) {
    if (!c.advertises("ctrl:EXPAND_VOLUME") || (slot.inUse() && !online)) {
      return;
    }
    var request =
        ControllerExpandVolumeRequest.newBuilder()
            .setVolumeId(slot.id)
            .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
            .setVolumeCapability(c.requests().capability())
            .build();
    var outcome = Outcome.of(() -> c.controller().controllerExpandVolume(request));
    expect("ControllerExpandVolume", outcome, slot.there ? Code.OK : Code.NOT_FOUND);
    slot.grown |= slot.there;
  }

  private void attach(VolumeSlot slot, boolean forth) {
    if (!attaches || slot.staged || !slot.published.isEmpty()) {
      return;
    }
    if (forth) {
      var outcome =
          Outcome.of(
              () ->
                  c.controller()
                      .controllerPublishVolume(c.requests().attach(slot.volume()).build()));
      expect("ControllerPublishVolume", outcome, slot.there ? Code.OK : Code.NOT_FOUND);
      slot.attached |= outcome.ok();
    } else {
      var outcome =
          Outcome.of(() -> ControllerPublishCases.unpublish(c, slot.id, c.nodeInfo().getNodeId()));
      if (slot.there) {
        expect("ControllerUnpublishVolume", outcome, Code.OK);
      } else {
        expect("ControllerUnpublishVolume of nothing", outcome, Code.OK, Code.NOT_FOUND);
      }
      slot.attached = false;
      // The next attachment may have another context.
      slot.onNode = null;
    }
  }

  private void stage(VolumeSlot slot, boolean forth) {
    if (!stages || !slot.there || (attaches && !slot.attached) || !slot.published.isEmpty()) {
      return;
    }
    if (slot.onNode == null) {
      slot.onNode = c.make().onNode().attach(slot.volume(), c.requests().capability());
    }
    if (forth) {
      var request = slot.at().stageRequest().build();
      expect("NodeStageVolume", Outcome.of(() -> c.node().nodeStageVolume(request)), Code.OK);
    } else {
      var request = slot.at().unstageRequest();
      expect("NodeUnstageVolume", Outcome.of(() -> c.node().nodeUnstageVolume(request)), Code.OK);
    }
    slot.staged = forth;
  }

  private void publish(VolumeSlot slot, int number) {
    if (!node || !slot.there || (attaches && !slot.attached) || (stages && !slot.staged)) {
      return;
    }
    if (slot.onNode == null) {
      slot.onNode = c.make().onNode().attach(slot.volume(), c.requests().capability());
    }
    String target = slot.targets.get(number);
    var request = slot.at().publishRequest(target).build();
    var outcome = Outcome.of(() -> c.node().nodePublishVolume(request));
    if (slot.published.isEmpty() || slot.published.contains(target)) {
      expect("NodePublishVolume", outcome, Code.OK);
    } else {
      expect("NodePublishVolume elsewhere", outcome, Code.OK, Code.FAILED_PRECONDITION);
    }
    if (outcome.ok()) {
      slot.published.add(target);
    }
  }

  private void unpublish(VolumeSlot slot, int number) {
    if (!node || !slot.there) {
      return;
    }
    String target = slot.targets.get(number);
    var outcome = Outcome.of(() -> NodeSteps.unpublish(c, slot.id, target));
    expect("NodeUnpublishVolume", outcome, Code.OK);
    slot.published.remove(target);
    if (SeenMounts.isMounted(target)) {
      throw new Violation("NodeUnpublishVolume: a mount is left at its target");
    }
  }

  private void list() {
    if (!c.advertises("ctrl:LIST_VOLUMES")) {
      return;
    }
    List<ListVolumesResponse.Entry> entries = Listing.volumes(c);
    for (VolumeSlot slot : world.volumes) {
      List<ListVolumesResponse.Entry> found =
          entries.stream().filter(e -> e.getVolume().getVolumeId().equals(slot.id)).toList();
      same("entries for " + slot.id + " in ListVolumes", slot.there ? 1 : 0, found.size());
      if (slot.there && attaches && c.advertises("ctrl:LIST_VOLUMES_PUBLISHED_NODES")) {
        List<String> nodes = slot.attached ? List.of(c.nodeInfo().getNodeId()) : List.of();
        same(
            "nodes of " + slot.id + " in ListVolumes",
            nodes,
            List.copyOf(found.get(0).getStatus().getPublishedNodeIdsList()));
      }
    }
    for (ListVolumesResponse.Entry entry : entries) {
      if (world.deleted.contains(entry.getVolume().getVolumeId())) {
        throw new Violation("ListVolumes: holds a deleted volume: " + entry);
      }
    }
  }

  /** As far as it goes; the case's end removes the rest. */
  private void clear() {
    for (VolumeSlot slot : world.volumes) {
      for (String target : slot.published) {
        Outcome.of(() -> NodeSteps.unpublish(c, slot.id, target));
      }
      if (slot.staged) {
        Outcome.of(() -> c.node().nodeUnstageVolume(slot.at().unstageRequest()));
      }
      if (slot.attached) {
        Outcome.of(() -> ControllerPublishCases.unpublish(c, slot.id, c.nodeInfo().getNodeId()));
      }
    }
    for (int pass = 0; pass < 2; pass++) {
      // Copies and what they were made of hold each other in either order.
      world.volumes.forEach(slot -> Outcome.of(() -> DeleteVolumeCases.delete(c, slot.id)));
      if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
        world.snapshots.forEach(slot -> Outcome.of(() -> SnapshotCases.delete(c, slot.id)));
      }
    }
  }
}
