package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
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
              c.ok(() -> delete(c, c.requests().unknownId()));
              for (String id : Texts.ODD_IDS) {
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
            "CTRL-DELETE-004"),
        Case.of(
            "CTRL-DELETE-010",
            c -> {
              Volume volume = c.make().volume();
              c.prepare(() -> delete(c, volume.getVolumeId()));
              Outcome<?> found =
                  Outcome.of(() -> ValidateCases.validate(c, volume, c.requests().capability()));
              c.check(found.code() == Status.Code.NOT_FOUND, "NOT_FOUND", found);
              if (c.advertises("ctrl:LIST_VOLUMES")) {
                boolean listed =
                    Listing.volumes(c).stream()
                        .anyMatch(e -> e.getVolume().getVolumeId().equals(volume.getVolumeId()));
                c.check(!listed, "a list without it", "the deleted volume in the list");
              }
            }));
  }

  static DeleteVolumeResponse delete(CaseContext c, String id) {
    return c.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }
}
