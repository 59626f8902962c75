package dev.csijava.testkit.conformance;

import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;

/** ValidateVolumeCapabilities. */
final class ValidateCases implements CaseGroup {
  private static final int UNKNOWN_FIELD = 30_000;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-VALIDATE-002",
            c -> c.refused(() -> call(c, of("").addVolumeCapabilities(c.requests().capability())))),
        Case.of(
            "CTRL-VALIDATE-003",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> call(c, of(volume.getVolumeId())));
            }),
        Case.of(
            "CTRL-VALIDATE-004",
            c ->
                c.refused(
                    () ->
                        call(
                            c,
                            of(c.requests().unknownId())
                                .addVolumeCapabilities(c.requests().capability())))),
        Case.of(
            "validate-supported",
            "What a volume was made for is confirmed, each time",
            ValidateCases::supported,
            "CTRL-VALIDATE-001",
            "CTRL-VALIDATE-005",
            "CTRL-VALIDATE-007",
            "CTRL-VALIDATE-010",
            "CTRL-VALIDATE-012"),
        Case.of(
            "validate-unsupported",
            "What a volume can't do is not confirmed, and that is no error",
            ValidateCases::unsupported,
            "CTRL-VALIDATE-006",
            "CTRL-VALIDATE-011"),
        Case.of("CTRL-VALIDATE-008", ValidateCases::unknownField),
        Case.of("CTRL-VALIDATE-009", ValidateCases::foreignContext));
  }

  private static void supported(CaseContext c) {
    Volume volume = c.make().volume();
    VolumeCapability capability = c.requests().capability();
    ValidateVolumeCapabilitiesRequest.Builder request =
        of(volume.getVolumeId())
            .addVolumeCapabilities(capability)
            .putAllVolumeContext(volume.getVolumeContextMap())
            .putAllParameters(c.settings().parameters());
    ValidateVolumeCapabilitiesResponse first = c.ok("CTRL-VALIDATE-001", () -> call(c, request));
    c.check("CTRL-VALIDATE-005", first.hasConfirmed(), "confirmed", first);
    c.check(
        "CTRL-VALIDATE-007",
        !first.hasConfirmed() || first.getConfirmed().getVolumeCapabilitiesCount() > 0,
        "the capabilities that are confirmed",
        first);
    var confirmed = first.getConfirmed();
    c.check(
        "CTRL-VALIDATE-010",
        (confirmed.getVolumeContextCount() == 0
                || confirmed.getVolumeContextMap().equals(request.getVolumeContextMap()))
            && (confirmed.getParametersCount() == 0
                || confirmed.getParametersMap().equals(request.getParametersMap())),
        "contexts and parameters as sent, or none",
        confirmed);
    ValidateVolumeCapabilitiesResponse second = c.ok("CTRL-VALIDATE-012", () -> call(c, request));
    c.same("CTRL-VALIDATE-012", first, second);
  }

  private static void unsupported(CaseContext c) {
    VolumeCapability bad = Unsupported.find(c);
    Volume volume = c.make().volume();
    ValidateVolumeCapabilitiesResponse answer =
        c.ok(
            "CTRL-VALIDATE-006",
            () ->
                call(
                    c,
                    of(volume.getVolumeId())
                        .addVolumeCapabilities(c.requests().capability())
                        .addVolumeCapabilities(bad)));
    c.check("CTRL-VALIDATE-006", !answer.hasConfirmed(), "nothing confirmed", answer);
    c.check(
        "CTRL-VALIDATE-011",
        Texts.bytes(answer.getMessage()) <= 128,
        "a message of up to 128 bytes",
        answer.getMessage());
    if (answer.getMessage().isEmpty()) {
      c.note("CTRL-VALIDATE-011", "the driver says nothing");
    }
  }

  private static void unknownField(CaseContext c) {
    Volume volume = c.make().volume();
    VolumeCapability newer =
        c.requests().capability().toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        UNKNOWN_FIELD, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build())
            .build();
    ValidateVolumeCapabilitiesResponse answer = c.ok(() -> validate(c, volume, newer));
    boolean vouched =
        answer.getConfirmed().getVolumeCapabilitiesList().stream()
            .anyMatch(capability -> capability.getUnknownFields().hasField(UNKNOWN_FIELD));
    c.check(!vouched, "no field confirmed that the driver can't know", answer);
  }

  private static void foreignContext(CaseContext c) {
    Volume volume = c.make().volume();
    Outcome<ValidateVolumeCapabilitiesResponse> outcome =
        Outcome.of(
            () ->
                call(
                    c,
                    of(volume.getVolumeId())
                        .putVolumeContext("csi-testkit/foreign", "context")
                        .addVolumeCapabilities(c.requests().capability())));
    if (outcome.ok()) {
      // The row allows both: rejected, or answered without vouching for the context.
      boolean vouched =
          outcome.answer().getConfirmed().containsVolumeContext("csi-testkit/foreign");
      c.check(!vouched, "a foreign context that is not confirmed", outcome.answer());
      c.note("CTRL-VALIDATE-009", "seen: OK");
    } else {
      c.judge("CTRL-VALIDATE-009", outcome, false);
    }
  }

  static ValidateVolumeCapabilitiesResponse validate(
      CaseContext c, Volume volume, VolumeCapability... capabilities) {
    return call(
        c,
        of(volume.getVolumeId())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .addAllVolumeCapabilities(List.of(capabilities)));
  }

  private static ValidateVolumeCapabilitiesRequest.Builder of(String volumeId) {
    return ValidateVolumeCapabilitiesRequest.newBuilder().setVolumeId(volumeId);
  }

  private static ValidateVolumeCapabilitiesResponse call(
      CaseContext c, ValidateVolumeCapabilitiesRequest.Builder request) {
    return c.controller().validateVolumeCapabilities(request.build());
  }
}
