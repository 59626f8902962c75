package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import java.util.List;
import java.util.Map;

/** What can be seen only where the user tells of somebody or something that is refused. */
final class GivenCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "GEN-ERR-007",
            c -> {
              Map<String, String> secrets = c.settings().deniedSecrets();
              c.need(!secrets.isEmpty(), "--denied-secrets is not given");
              c.refused(
                  () ->
                      CreateVolumeCases.createVolume(
                          c, c.requests().volume().putAllSecrets(secrets)));
            }),
        Case.of(
            "CTRL-CREATE-050",
            c -> {
              Map<String, String> segments = c.settings().fullTopology();
              c.need(!segments.isEmpty(), "--full-topology is not given");
              TopologyRequirement.Builder there =
                  TopologyRequirement.newBuilder()
                      .addRequisite(Topology.newBuilder().putAllSegments(segments));
              c.refused(
                  () ->
                      CreateVolumeCases.createVolume(
                          c, c.requests().volume().setAccessibilityRequirements(there)));
            }));
  }
}
