package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.Topology;
import java.util.List;

/** GetCapacity. */
final class CapacityCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("CTRL-CAPACITY-001", c -> c.ok(() -> call(c, GetCapacityRequest.newBuilder()))),
        Case.of(
            "get-capacity",
            "The capacity and the bounds of volumes are sane",
            CapacityCases::figures,
            "CTRL-CAPACITY-002",
            "CTRL-CAPACITY-007",
            "CTRL-CAPACITY-008"),
        Case.of("CTRL-CAPACITY-003", CapacityCases::unsupported),
        Case.of(
            "CTRL-CAPACITY-004",
            c -> {
              long all = call(c, GetCapacityRequest.newBuilder()).getAvailableCapacity();
              GetCapacityResponse some =
                  c.ok(
                      () ->
                          call(
                              c,
                              GetCapacityRequest.newBuilder()
                                  .putAllParameters(c.settings().parameters())));
              c.check(some.getAvailableCapacity() >= 0, "no negative capacity", some);
              c.note(
                  "CTRL-CAPACITY-004",
                  c.settings().parameters().isEmpty()
                      ? "without parameters, since --parameters is not given"
                      : some.getAvailableCapacity() + " of " + all + " bytes");
            }),
        Case.of(
            "CTRL-CAPACITY-005",
            c -> {
              Topology here = CreateVolumeTopologyCases.here(c);
              Topology elsewhere = CreateVolumeTopologyCases.elsewhere(here);
              c.ok(() -> call(c, asked(c).setAccessibleTopology(here)));
              Outcome<GetCapacityResponse> nothing =
                  Outcome.of(() -> call(c, asked(c).setAccessibleTopology(elsewhere)));
              boolean none = nothing(nothing);
              c.check(
                  none, "no capacity where nothing is", nothing.ok() ? nothing.answer() : nothing);
            }),
        Case.of(
            "CTRL-CAPACITY-006",
            c ->
                c.refusedOrIgnored(
                    "accessible_topology",
                    () ->
                        call(
                            c,
                            asked(c)
                                .setAccessibleTopology(
                                    CreateVolumeTopologyCases.topology(
                                        "csi-testkit/zone", "a"))))));
  }

  private static void figures(CaseContext c) {
    for (GetCapacityRequest.Builder request : List.of(GetCapacityRequest.newBuilder(), asked(c))) {
      GetCapacityResponse answer = c.ok("CTRL-CAPACITY-002", () -> call(c, request));
      c.check(
          "CTRL-CAPACITY-002", answer.getAvailableCapacity() >= 0, "no negative capacity", answer);
      long maximum =
          answer.hasMaximumVolumeSize() ? answer.getMaximumVolumeSize().getValue() : Long.MAX_VALUE;
      long minimum = answer.getMinimumVolumeSize().getValue();
      c.check(
          "CTRL-CAPACITY-007",
          minimum >= 0 && maximum >= 0 && (minimum <= maximum || maximum == 0),
          "bounds that are not negative, and the lower not above the upper",
          answer);
      c.check("CTRL-CAPACITY-008", true, "", "");
      c.note(
          "CTRL-CAPACITY-008",
          answer.hasMaximumVolumeSize() ? "maximum " + maximum : "no maximum reported");
    }
  }

  private static void unsupported(CaseContext c) {
    c.ok(() -> call(c, asked(c)));
    var bad = Unsupported.find(c);
    Outcome<GetCapacityResponse> nothing =
        Outcome.of(() -> call(c, GetCapacityRequest.newBuilder().addVolumeCapabilities(bad)));
    boolean none = nothing(nothing);
    c.check(
        none,
        "no capacity for a capability that CreateVolume refuses",
        nothing.ok() ? nothing.answer() : nothing);
  }

  /** No room, or the refusal of the question. */
  private static boolean nothing(Outcome<GetCapacityResponse> outcome) {
    return outcome.ok()
        ? outcome.answer().getAvailableCapacity() == 0
        : Codes.answered(outcome.code());
  }

  /** For the volumes that the cases make. */
  static GetCapacityRequest.Builder asked(CaseContext c) {
    return GetCapacityRequest.newBuilder()
        .addVolumeCapabilities(c.requests().capability())
        .putAllParameters(c.settings().parameters());
  }

  private static GetCapacityResponse call(CaseContext c, GetCapacityRequest.Builder request) {
    return c.controller().getCapacity(request.build());
  }
}
