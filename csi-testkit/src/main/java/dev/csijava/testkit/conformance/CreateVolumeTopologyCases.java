package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** CreateVolume: where a volume may lie. */
final class CreateVolumeTopologyCases implements CaseGroup {
  private static final String EVERYWHERE =
      "the volume names no topology, so it is reachable from everywhere";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-CREATE-039",
            c ->
                c.refusedOrIgnored(
                    "accessibility_requirements",
                    () -> createVolume(c, at(c, requisite(topology("csi-testkit/zone", "a")))))),
        Case.of(
            "CTRL-CREATE-040",
            c -> c.refused(() -> createVolume(c, at(c, TopologyRequirement.newBuilder())))),
        Case.of(
            "create-volume-requisite",
            "A volume lies where it must",
            CreateVolumeTopologyCases::requisiteHere,
            "CTRL-CREATE-041",
            "CTRL-CREATE-042",
            "CTRL-CREATE-043",
            "CTRL-CREATE-045"),
        Case.of(
            "create-volume-requisite-choice",
            "Of several places the driver picks only what was listed",
            CreateVolumeTopologyCases::requisiteChoice,
            "CTRL-CREATE-044"),
        Case.of(
            "CTRL-CREATE-046",
            c -> {
              List<Topology> places = places(c);
              Topology first = places.get(0);
              TopologyRequirement.Builder wished =
                  requisiteOf(roomless(c, first), places).addAllPreferred(places);
              Volume volume = c.ok(() -> createVolume(c, at(c, wished)));
              c.check(
                  reachable(volume, first),
                  "the preferred topology " + first,
                  volume.getAccessibleTopologyList());
            }),
        Case.of(
            "CTRL-CREATE-047",
            c -> {
              Topology here = here(c);
              Outcome<Volume> outcome =
                  Outcome.of(
                      () -> createVolume(c, at(c, requisite(here).addPreferred(elsewhere(here)))));
              if (outcome.ok()) {
                Volume made = outcome.answer();
                c.check(
                    reachable(made, here),
                    "reachable from " + here,
                    made.getAccessibleTopologyList());
                c.note("CTRL-CREATE-047", "seen: OK, in a requisite place");
              } else {
                c.judge("CTRL-CREATE-047", outcome, false);
              }
            }),
        Case.of(
            "CTRL-CREATE-048",
            c -> {
              List<Topology> places = places(c);
              Topology elsewhere = roomless(c, places.get(0));
              Outcome<Volume> outcome =
                  Outcome.of(
                      () ->
                          createVolume(
                              c, at(c, requisiteOf(elsewhere, places).addPreferred(elsewhere))));
              c.need(
                  outcome.code() != Status.Code.RESOURCE_EXHAUSTED,
                  "the driver does not fall back from a preferred place, which it MAY");
              c.judge("CTRL-CREATE-048", outcome, true);
            }),
        Case.of(
            "CTRL-CREATE-049",
            c -> {
              Topology nowhere = elsewhere(here(c));
              Outcome<Volume> outcome =
                  Outcome.of(() -> createVolume(c, at(c, requisite(nowhere))));
              needNoNames(c, nowhere, outcome);
              c.need(!isEverywhere(outcome), EVERYWHERE);
              c.judge("CTRL-CREATE-049", outcome, false);
            }),
        Case.of("CTRL-CREATE-051", c -> c.ok(() -> createVolume(c, volume(c)))),
        Case.of(
            "CTRL-CREATE-009",
            c -> {
              Topology here = here(c);
              CreateVolumeRequest.Builder request = at(c, requisite(here));
              Volume made = c.make().volume(request.build());
              c.need(made.getAccessibleTopologyCount() > 0, EVERYWHERE);
              Topology nowhere = roomless(c, here);
              Outcome<Volume> moved =
                  Outcome.of(
                      () ->
                          createVolume(
                              c, request.setAccessibilityRequirements(requisite(nowhere))));
              // No volume can lie there at all, so this code is as right as that of the row.
              c.check(
                  moved.code() == Status.Code.ALREADY_EXISTS
                      || moved.code() == Status.Code.RESOURCE_EXHAUSTED,
                  "ALREADY_EXISTS, or RESOURCE_EXHAUSTED for a place that does not exist",
                  moved);
              c.note("CTRL-CREATE-009", "seen: " + moved.code());
            }),
        Case.of(
            "GEN-TOPO-008",
            c -> {
              String prefix = here(c).getSegmentsMap().keySet().iterator().next();
              for (Topology bad :
                  List.of(
                      topology("", "a"),
                      topology("x/", "a"),
                      topology("-x", "a"),
                      topology("x".repeat(64), "a"),
                      topology(prefix, ""),
                      topology(prefix, "-a"),
                      topology(prefix, "a".repeat(64)),
                      topology(prefix, "a b"))) {
                // Where there is no such place, there is no room either.
                Outcome<Volume> outcome = Outcome.of(() -> createVolume(c, at(c, requisite(bad))));
                c.check(
                    outcome.code() == Status.Code.INVALID_ARGUMENT
                        || outcome.code() == Status.Code.RESOURCE_EXHAUSTED,
                    "INVALID_ARGUMENT, or RESOURCE_EXHAUSTED since there is no such place",
                    outcome);
                c.note("GEN-TOPO-008", "seen: " + outcome.code());
              }
            }));
  }

  private static void requisiteHere(CaseContext c) {
    Topology here = here(c);
    Outcome<Volume> made = Outcome.of(() -> createVolume(c, at(c, requisite(here))));
    c.check("CTRL-CREATE-041", made.ok(), "OK", made);
    c.need(made.ok(), "no volume was made");
    List<Topology> places = made.answer().getAccessibleTopologyList();
    boolean reachable = reachable(made.answer(), here);
    c.check("CTRL-CREATE-041", reachable, "reachable from " + here, places);
    c.check(
        "CTRL-CREATE-042",
        places.stream().allMatch(place -> place.getSegmentsCount() > 0),
        "topologies that name a place",
        places);
    if (places.isEmpty()) {
      c.note("CTRL-CREATE-042", EVERYWHERE);
      c.skip("CTRL-CREATE-043", EVERYWHERE);
      c.skip("CTRL-CREATE-045", EVERYWHERE);
      return;
    }
    boolean more = new HashSet<>(places).size() > 1;
    c.check(
        more ? "CTRL-CREATE-045" : "CTRL-CREATE-043",
        reachable,
        "the requisite topology among " + places,
        "not there");
    c.skip(
        more ? "CTRL-CREATE-043" : "CTRL-CREATE-045",
        "the driver makes a volume reachable from " + places.size() + " topologies");
  }

  private static void requisiteChoice(CaseContext c) {
    Topology here = here(c);
    Set<Topology> listed = Set.of(here, roomless(c, here));
    Outcome<Volume> made =
        c.answers(
            "CTRL-CREATE-044",
            () -> createVolume(c, at(c, requisite(listed.toArray(Topology[]::new)))));
    if (made.ok()) {
      List<Topology> places = made.answer().getAccessibleTopologyList();
      c.need(!places.isEmpty(), EVERYWHERE);
      c.need(places.size() < listed.size(), "a volume has as many topologies as were listed");
      c.check(
          places.stream().allMatch(one -> listed.stream().anyMatch(place -> covers(one, place))),
          "one of those that were listed",
          places);
    }
  }

  /** The topology of the node that the driver runs on. */
  static Topology here(CaseContext c) {
    c.need(c.advertises("service:Node"), "there is no node to ask for its topology");
    Topology here = c.nodeInfo().getAccessibleTopology();
    c.need(here.getSegmentsCount() > 0, "NodeGetInfo tells no topology");
    return here;
  }

  /**
   * Whether the volume is reachable from a place: from everywhere, if it names no topology, and
   * from every place that has the segments that one of its topologies names, which may be fewer
   * than a node tells of itself.
   */
  private static boolean reachable(Volume volume, Topology place) {
    List<Topology> from = volume.getAccessibleTopologyList();
    return from.isEmpty() || from.stream().anyMatch(one -> covers(one, place));
  }

  private static boolean covers(Topology one, Topology place) {
    return one.getSegmentsCount() > 0
        && place.getSegmentsMap().entrySet().containsAll(one.getSegmentsMap().entrySet());
  }

  /** A topology like this one, where nothing is and nothing can be made. */
  private static Topology roomless(CaseContext c, Topology here) {
    Topology elsewhere = elsewhere(here);
    Outcome<Volume> outcome = Outcome.of(() -> createVolume(c, at(c, requisite(elsewhere))));
    needNoNames(c, elsewhere, outcome);
    c.need(!isEverywhere(outcome), EVERYWHERE);
    return elsewhere;
  }

  private static boolean isEverywhere(Outcome<Volume> outcome) {
    return outcome.ok()
        && !outcome.answer().getVolumeId().isEmpty()
        && outcome.answer().getAccessibleTopologyCount() == 0;
  }

  /** The kit makes a place up; a driver that knows all places may call that name invalid. */
  static void needNoNames(CaseContext c, Topology madeUp, Outcome<?> outcome) {
    c.need(
        outcome.code() != Status.Code.INVALID_ARGUMENT,
        "the driver knows that there is no place "
            + madeUp.getSegmentsMap()
            + " ("
            + outcome
            + ")");
  }

  /** A topology with the same keys, where nothing is. */
  static Topology elsewhere(Topology here) {
    Topology.Builder elsewhere = Topology.newBuilder();
    here.getSegmentsMap().keySet().forEach(key -> elsewhere.putSegments(key, "no-such-place"));
    return elsewhere.build();
  }

  static Topology topology(String key, String value) {
    return Topology.newBuilder().putSegments(key, value).build();
  }

  private static TopologyRequirement.Builder requisite(Topology... places) {
    return TopologyRequirement.newBuilder().addAllRequisite(List.of(places));
  }

  private static TopologyRequirement.Builder requisiteOf(Topology first, List<Topology> others) {
    return requisite(first).addAllRequisite(others);
  }

  /**
   * As many topologies as a volume of this driver is reachable from, the node's own among them: a
   * driver that needs several for a volume can do nothing with one.
   */
  private static List<Topology> places(CaseContext c) {
    Topology here = here(c);
    List<Topology> places =
        new ArrayList<>(c.prepare(() -> createVolume(c, volume(c))).getAccessibleTopologyList());
    if (places.stream().noneMatch(place -> covers(place, here))) {
      if (places.size() > 1) {
        places.remove(0);
      } else {
        places.clear();
      }
      places.add(0, here);
    }
    return places;
  }

  private static CreateVolumeRequest.Builder at(
      CaseContext c, TopologyRequirement.Builder requirement) {
    return volume(c).setAccessibilityRequirements(requirement);
  }
}
