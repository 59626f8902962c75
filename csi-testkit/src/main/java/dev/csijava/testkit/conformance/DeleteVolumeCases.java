package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.Volume;
import java.util.List;

/** DeleteVolume. */
final class DeleteVolumeCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("CTRL-DELETE-002", c -> c.refused(() -> delete(c, ""))),
        Case.of(
            "CTRL-DELETE-003",
            c -> {
              for (String id : List.of(c.requests().unknownId(), "../../etc", "/", "\u00fc", " ")) {
                c.ok(() -> delete(c, id));
              }
            }),
        Case.of(
            "delete-volume-twice",
            "A volume is deleted, and deleting it again succeeds",
            c -> {
              Volume volume = c.make().volume();
              c.ok("CTRL-DELETE-001", () -> delete(c, volume.getVolumeId()));
              c.ok("CTRL-DELETE-004", () -> delete(c, volume.getVolumeId()));
            },
            "CTRL-DELETE-001",
            "CTRL-DELETE-004"));
  }

  private static DeleteVolumeResponse delete(CaseContext c, String id) {
    return c.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }
}
