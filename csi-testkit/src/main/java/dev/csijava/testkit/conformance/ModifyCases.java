package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import java.util.List;
import java.util.Map;

/** ControllerModifyVolume. */
final class ModifyCases implements CaseGroup {
  private static final String MADE_UP = "csi-testkit-made-up-key";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("CTRL-MODIFY-002", c -> c.refused(() -> modify(c, "", Map.of(MADE_UP, "value")))),
        Case.of(
            "CTRL-MODIFY-003",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> modify(c, volume.getVolumeId(), Map.of()));
            }),
        Case.of(
            "CTRL-MODIFY-004",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> modify(c, volume.getVolumeId(), Map.of(MADE_UP, "value")));
            }),
        Case.of(
            "CTRL-MODIFY-006",
            c -> {
              Map<String, String> known = c.settings().mutableParameters();
              Outcome<?> outcome =
                  Outcome.of(
                      () ->
                          modify(
                              c,
                              c.requests().unknownId(),
                              known.isEmpty() ? Map.of(MADE_UP, "value") : known));
              c.need(
                  !known.isEmpty() || outcome.code() != Status.Code.INVALID_ARGUMENT,
                  "the driver looks at the parameters first, and --mutable-parameters is not"
                      + " given");
              c.judge("CTRL-MODIFY-006", outcome, false);
            }),
        Case.of(
            "modify-volume",
            "Valid parameters are accepted, and again",
            c -> {
              Map<String, String> mutable = mutable(c);
              Volume volume = c.make().volume();
              c.ok("CTRL-MODIFY-001", () -> modify(c, volume.getVolumeId(), mutable));
              applied(c, "CTRL-MODIFY-009", volume, mutable);
              for (int i = 1; i < c.settings().repetitions(); i++) {
                c.ok("CTRL-MODIFY-007", () -> modify(c, volume.getVolumeId(), mutable));
              }
            },
            "CTRL-MODIFY-001",
            "CTRL-MODIFY-007",
            "CTRL-MODIFY-009"),
        Case.of("CTRL-MODIFY-005", ModifyCases::allOrNothing),
        Case.of("CTRL-MODIFY-008", ModifyCases::oneByOne));
  }

  /** A replayed creation without the parameters shows whether the volume has taken them. */
  private static void allOrNothing(CaseContext c) {
    Map<String, String> mutable = mutable(c);
    CreateVolumeRequest request = c.requests().volume().build();
    Volume volume = c.make().volume(request);
    c.refused(
        () ->
            c.controller()
                .controllerModifyVolume(
                    ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .putAllMutableParams(mutable)
                        .putMutableParams(MADE_UP, "value")
                        .build()));
    Outcome<Volume> replay =
        Outcome.of(() -> CreateVolumeCases.createVolume(c, request.toBuilder()));
    c.check(replay.ok(), "an unchanged volume, so that its creation replays", replay);
    if (tells(c, mutable)) {
      c.check(!has(c, volume, mutable), "none of the parameters taken", "all that were good");
    }
  }

  private static void oneByOne(CaseContext c) {
    Map<String, String> mutable = mutable(c);
    c.need(mutable.size() > 1, "--mutable-parameters holds one key only");
    Volume volume = c.make().volume();
    mutable.forEach(
        (key, value) -> c.ok(() -> modify(c, volume.getVolumeId(), Map.of(key, value))));
    applied(c, "CTRL-MODIFY-008", volume, mutable);
    c.ok(() -> modify(c, volume.getVolumeId(), mutable));
  }

  /** The volume has them all, as far as the driver tells. */
  private static void applied(
      CaseContext c, String row, Volume volume, Map<String, String> mutable) {
    if (tells(c, mutable)) {
      c.check(row, has(c, volume, mutable), "a volume with the parameters", "one without");
    } else {
      c.check(row, true, "", "");
      c.note(row, "what became of the parameters is not told by ValidateVolumeCapabilities");
    }
  }

  /**
   * Whether ValidateVolumeCapabilities confirms these parameters for a volume that was made with
   * them, and only for such a one.
   */
  private static boolean tells(CaseContext c, Map<String, String> mutable) {
    Outcome<Volume> with =
        Outcome.of(
            () ->
                CreateVolumeCases.createVolume(
                    c, c.requests().volume().putAllMutableParams(mutable)));
    return with.ok() && has(c, with.answer(), mutable) && !has(c, c.make().volume(), mutable);
  }

  private static boolean has(CaseContext c, Volume volume, Map<String, String> mutable) {
    ValidateVolumeCapabilitiesRequest request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .addVolumeCapabilities(c.requests().capability())
            .putAllMutableParams(mutable)
            .build();
    Outcome<ValidateVolumeCapabilitiesResponse> answer =
        Outcome.of(() -> c.controller().validateVolumeCapabilities(request));
    return answer.ok() && answer.answer().getConfirmed().getMutableParamsMap().equals(mutable);
  }

  private static Map<String, String> mutable(CaseContext c) {
    Map<String, String> mutable = c.settings().mutableParameters();
    c.need(!mutable.isEmpty(), "--mutable-parameters is not given");
    return mutable;
  }

  private static ControllerModifyVolumeResponse modify(
      CaseContext c, String id, Map<String, String> mutable) {
    return c.controller()
        .controllerModifyVolume(
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllMutableParams(mutable)
                .build());
  }
}
