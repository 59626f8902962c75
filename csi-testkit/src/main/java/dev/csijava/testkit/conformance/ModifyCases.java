package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
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
            c ->
                c.refused(
                    () ->
                        modify(
                            c,
                            c.requests().unknownId(),
                            c.settings().mutableParameters().isEmpty()
                                ? Map.of(MADE_UP, "value")
                                : mutable(c)))),
        Case.of(
            "modify-volume",
            "Valid parameters are accepted, and again",
            c -> {
              Map<String, String> mutable = mutable(c);
              Volume volume = c.make().volume();
              c.ok("CTRL-MODIFY-001", () -> modify(c, volume.getVolumeId(), mutable));
              c.check("CTRL-MODIFY-009", true, "", "");
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
  }

  private static void oneByOne(CaseContext c) {
    Map<String, String> mutable = mutable(c);
    c.need(mutable.size() > 1, "--mutable-parameters holds one key only");
    Volume volume = c.make().volume();
    mutable.forEach(
        (key, value) -> c.ok(() -> modify(c, volume.getVolumeId(), Map.of(key, value))));
    c.ok(() -> modify(c, volume.getVolumeId(), mutable));
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
