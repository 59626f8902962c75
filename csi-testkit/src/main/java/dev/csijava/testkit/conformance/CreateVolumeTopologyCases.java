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
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-CREATE-039",
            c ->
                c.refused(
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
                  requisiteOf(elsewhere(first), places).addAllPreferred(places);
              Volume volume = c.ok(() -> createVolume(c, at(c, wished)));
              c.check(
                  volume.getAccessibleTopologyList().contains(first),
                  "the preferred topology " + first,
                  volume.getAccessibleTopologyList());
            }),
        Case.of(
            "CTRL-CREATE-047",
            c -> {
              Topology here = here(c);
              c.refused(
                  () -> createVolume(c, at(c, requisite(here).addPreferred(elsewhere(here)))));
            }),
        Case.of(
            "CTRL-CREATE-048",
            c -> {
              List<Topology> places = places(c);
              Topology elsewhere = elsewhere(places.get(0));
              c.ok(
                  () ->
                      createVolume(
                          c, at(c, requisiteOf(elsewhere, places).addPreferred(elsewhere))));
            }),
        Case.of(
            "CTRL-CREATE-049",
            c -> c.refused(() -> createVolume(c, at(c, requisite(elsewhere(here(c))))))),
        Case.of("CTRL-CREATE-051", c -> c.ok(() -> createVolume(c, volume(c)))),
        Case.of(
            "CTRL-CREATE-009",
            c -> {
              Topology here = here(c);
              CreateVolumeRequest.Builder request = at(c, requisite(here));
              c.make().volume(request.build());
              Outcome<Volume> moved =
                  Outcome.of(
                      () ->
                          createVolume(
                              c, request.setAccessibilityRequirements(requisite(elsewhere(here)))));
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
                c.refused(() -> createVolume(c, at(c, requisite(bad))));
              }
            }));
  }

  private static void requisiteHere(CaseContext c) {
    Topology here = here(c);
    Outcome<Volume> made = Outcome.of(() -> createVolume(c, at(c, requisite(here))));
    c.check("CTRL-CREATE-041", made.ok(), "OK", made);
    c.need(made.ok(), "no volume was made");
    List<Topology> places = made.answer().getAccessibleTopologyList();
    c.check("CTRL-CREATE-041", places.contains(here), "reachable from " + here, places);
    c.check("CTRL-CREATE-042", !places.isEmpty(), "one topology or more", places);
    boolean more = new HashSet<>(places).size() > 1;
    c.check(
        more ? "CTRL-CREATE-045" : "CTRL-CREATE-043",
        places.contains(here),
        "the requisite topology among " + places,
        "not there");
    c.skip(
        more ? "CTRL-CREATE-043" : "CTRL-CREATE-045",
        "the driver makes a volume reachable from " + places.size() + " topologies");
  }

  private static void requisiteChoice(CaseContext c) {
    Topology here = here(c);
    Set<Topology> listed = Set.of(here, elsewhere(here));
    Outcome<Volume> made =
        c.answers(
            "CTRL-CREATE-044",
            () -> createVolume(c, at(c, requisite(listed.toArray(Topology[]::new)))));
    if (made.ok()) {
      List<Topology> places = made.answer().getAccessibleTopologyList();
      c.need(places.size() < listed.size(), "a volume has as many topologies as were listed");
      c.check(
          !places.isEmpty() && listed.containsAll(places), "one of those that were listed", places);
    }
  }

  /** The topology of the node that the driver runs on. */
  static Topology here(CaseContext c) {
    c.need(c.advertises("service:Node"), "there is no node to ask for its topology");
    Topology here = c.nodeInfo().getAccessibleTopology();
    c.need(here.getSegmentsCount() > 0, "NodeGetInfo tells no topology");
    return here;
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
    if (!places.contains(here)) {
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
