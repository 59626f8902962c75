package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** CreateVolume called again by the same name: replays, races and conflicts. */
final class CreateVolumeReplayCases implements CaseGroup {
  private static final int CALLERS = 8;
  private static final String MADE_UP = "csi-testkit-made-up-key";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "create-volume-replay",
            "CreateVolume by the same name answers the same volume each time",
            CreateVolumeReplayCases::replay,
            "CTRL-CREATE-004",
            "CTRL-CREATE-056"),
        Case.of(
            "create-volume-race",
            "CreateVolume by one name from several callers at once makes one volume",
            CreateVolumeReplayCases::race,
            "CTRL-CREATE-005",
            "GEN-CONC-001",
            "GEN-CONC-003"),
        Case.of(
            "create-volume-after-timeout",
            "CreateVolume again after the caller gave up finds what the first call made",
            CreateVolumeReplayCases::afterTimeout,
            "CTRL-CREATE-059",
            "GEN-TIME-001"),
        Case.of("CTRL-CREATE-006", CreateVolumeReplayCases::otherSize),
        Case.of("CTRL-CREATE-007", CreateVolumeReplayCases::otherAccessType),
        Case.of("CTRL-CREATE-008", CreateVolumeReplayCases::otherParameters),
        Case.of("CTRL-CREATE-010", CreateVolumeReplayCases::otherSource),
        Case.of("CTRL-CREATE-011", CreateVolumeReplayCases::otherMutableParameters));
  }

  private static void replay(CaseContext c) {
    CreateVolumeRequest.Builder request = volume(c);
    Volume first = c.ok("CTRL-CREATE-004", () -> createVolume(c, request));
    for (int i = 1; i < c.settings().repetitions(); i++) {
      Volume again = c.ok("CTRL-CREATE-004", () -> createVolume(c, request));
      c.same("CTRL-CREATE-004", first.getVolumeId(), again.getVolumeId());
      c.same("CTRL-CREATE-056", first.getVolumeContextMap(), again.getVolumeContextMap());
    }
    if (c.advertises("ctrl:LIST_VOLUMES")) {
      Optional<Volume> listed =
          Listing.volumes(c).stream()
              .map(entry -> entry.getVolume())
              .filter(volume -> volume.getVolumeId().equals(first.getVolumeId()))
              .findFirst();
      listed.ifPresent(
          found ->
              c.same("CTRL-CREATE-056", first.getVolumeContextMap(), found.getVolumeContextMap()));
    }
    if (c.advertises("ctrl:GET_VOLUME")) {
      Volume got =
          c.prepare(
                  () ->
                      c.controller()
                          .controllerGetVolume(
                              ControllerGetVolumeRequest.newBuilder()
                                  .setVolumeId(first.getVolumeId())
                                  .build()))
              .getVolume();
      c.same("CTRL-CREATE-056", first.getVolumeContextMap(), got.getVolumeContextMap());
    }
  }

  private static void race(CaseContext c) {
    CreateVolumeRequest.Builder request = volume(c);
    List<Outcome<Volume>> outcomes = c.together(CALLERS, () -> createVolume(c, request));
    outcomes.forEach(outcome -> c.judge("GEN-CONC-001", outcome, true));
    Volume settled = c.ok("GEN-CONC-003", () -> createVolume(c, request));
    List<String> ids =
        outcomes.stream()
            .filter(Outcome::ok)
            .map(outcome -> outcome.answer().getVolumeId())
            .collect(Collectors.toSet())
            .stream()
            .toList();
    boolean one = ids.isEmpty() || ids.equals(List.of(settled.getVolumeId()));
    for (String row : List.of("CTRL-CREATE-005", "GEN-CONC-001")) {
      c.check(row, one, "one volume, " + settled.getVolumeId(), ids);
    }
  }

  private static void afterTimeout(CaseContext c) {
    CreateVolumeRequest request = volume(c).build();
    for (int millis : new int[] {1, 3, 10}) {
      Outcome<Volume> cut =
          Outcome.of(
              () ->
                  c.controller()
                      .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
                      .createVolume(request)
                      .getVolume());
      c.note("GEN-TIME-001", "after " + millis + " ms: " + cut.code());
    }
    // A driver that is still at work may say so; then the caller asks again.
    Outcome<Volume> found =
        Patience.until(
            c.settings().callTimeout(),
            () -> Outcome.of(() -> createVolume(c, request.toBuilder())),
            outcome -> !CaseContext.retryable(outcome.code()));
    c.check("GEN-TIME-001", found.ok(), "OK in the end", found);
    c.need(found.ok(), "not reached");
    Volume again = c.ok("CTRL-CREATE-059", () -> createVolume(c, request.toBuilder()));
    for (String row : List.of("CTRL-CREATE-059", "GEN-TIME-001")) {
      c.same(row, found.answer().getVolumeId(), again.getVolumeId());
    }
  }

  private static void otherSize(CaseContext c) {
    CreateVolumeRequest.Builder request = volume(c);
    CreateVolumeRequest first = request.build();
    Volume volume = c.make().volume(first);
    long size = Math.max(volume.getCapacityBytes(), c.settings().size());
    Outcome<Volume> larger =
        Outcome.of(() -> createVolume(c, request.setCapacityRange(Requests.atLeast(size * 2))));
    c.need(
        volume.getCapacityBytes() > 0 || !same(larger, volume),
        "the driver tells no size of its volumes, which may fit any range");
    c.judge("CTRL-CREATE-006", larger, false);
    Kept.volume(c, first, volume);
  }

  /** Whether the answer is this volume: the driver takes it for what was asked for. */
  private static boolean same(Outcome<Volume> outcome, Volume volume) {
    return outcome.ok() && outcome.answer().getVolumeId().equals(volume.getVolumeId());
  }

  private static void otherAccessType(CaseContext c) {
    VolumeCapability mount = c.requests().mount(Mode.SINGLE_NODE_WRITER);
    VolumeCapability block = c.requests().block(Mode.SINGLE_NODE_WRITER);
    c.make().supportedVolume(mount, "mounted volumes");
    c.make().supportedVolume(block, "block volumes");
    CreateVolumeRequest.Builder request =
        volume(c).clearVolumeCapabilities().addVolumeCapabilities(mount);
    CreateVolumeRequest first = request.build();
    Volume volume = c.make().volume(first);
    Outcome<Volume> other =
        Outcome.of(
            () -> createVolume(c, request.clearVolumeCapabilities().addVolumeCapabilities(block)));
    c.need(
        !same(other, volume) || !ValidateCases.validate(c, volume, block).hasConfirmed(),
        "a volume of this driver may be mounted or used as a block device, as it confirms");
    c.judge("CTRL-CREATE-007", other, false);
    Kept.volume(c, first, volume);
  }

  private static void otherParameters(CaseContext c) {
    CreateVolumeRequest.Builder request = volume(c);
    Map<String, String> given = c.settings().parameters();
    boolean anyKey = Outcome.of(() -> createVolume(c, volume(c).putParameters(MADE_UP, "a"))).ok();
    c.need(anyKey || !given.isEmpty(), "the driver takes no made-up parameter; give --parameters");
    CreateVolumeRequest first = request.build();
    Volume volume = c.make().volume(first);
    Outcome<Volume> other =
        Outcome.of(() -> createVolume(c, request.clone().putParameters(MADE_UP, "a")));
    boolean silent = !anyKey || same(other, volume);
    if (silent && !given.isEmpty()) {
      other = Outcome.of(() -> createVolume(c, request.clone().clearParameters()));
      silent = other.code() == Status.Code.INVALID_ARGUMENT;
    }
    c.need(
        !silent,
        "the driver takes no notice of a made-up parameter"
            + (given.isEmpty() ? "; give --parameters" : ", and needs those that were given"));
    c.judge("CTRL-CREATE-008", other, false);
    Kept.volume(c, first, volume);
  }

  private static void otherSource(CaseContext c) {
    boolean snapshots = c.advertises("ctrl:CREATE_DELETE_SNAPSHOT");
    c.need(
        snapshots || c.advertises("ctrl:CLONE_VOLUME"), "the driver fills volumes from no source");
    Volume source = c.make().volume();
    CreateVolumeRequest.Builder empty = volume(c);
    c.make().volume(empty.build());
    if (snapshots) {
      Snapshot one = c.make().snapshot(source);
      c.refused(
          () ->
              createVolume(
                  c, empty.setVolumeContentSource(Requests.fromSnapshot(one.getSnapshotId()))));
      Snapshot other = c.make().snapshot(source);
      CreateVolumeRequest.Builder filled =
          volume(c).setVolumeContentSource(Requests.fromSnapshot(one.getSnapshotId()));
      CreateVolumeRequest first = filled.build();
      Volume volume = c.make().volume(first);
      c.refused(
          () ->
              createVolume(
                  c, filled.setVolumeContentSource(Requests.fromSnapshot(other.getSnapshotId()))));
      Kept.volume(c, first, volume);
    } else {
      c.refused(
          () ->
              createVolume(
                  c, empty.setVolumeContentSource(Requests.fromVolume(source.getVolumeId()))));
    }
  }

  private static void otherMutableParameters(CaseContext c) {
    Map<String, String> mutable = c.settings().mutableParameters();
    c.need(!mutable.isEmpty(), "--mutable-parameters is not given");
    CreateVolumeRequest.Builder request = volume(c).putAllMutableParams(mutable);
    Volume volume = c.make().volume(request.build());
    Outcome<Volume> other = Outcome.of(() -> createVolume(c, request.clearMutableParams()));
    c.need(
        other.code() != Status.Code.INVALID_ARGUMENT,
        "the driver needs the parameter (" + other + ")");
    if (same(other, volume)) {
      // Whoever asks for nothing may get what somebody else has asked for.
      c.check(true, "", "");
      c.note("CTRL-CREATE-011", "seen: OK, for a request that names no mutable parameters");
    } else {
      c.judge("CTRL-CREATE-011", other, false);
    }
  }
}
