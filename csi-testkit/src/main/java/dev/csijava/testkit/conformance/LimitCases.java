package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Texts, maps and paths as long as they may be, and longer. */
final class LimitCases implements CaseGroup {
  private static final int LONGEST_TEXT = 128;
  private static final int LARGEST_MAP = 4096;
  private static final int LONG_PATH = 3_800;
  private static final int LONG_NAME = 200;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "GEN-SIZE-003",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              String name = Texts.filledWithUmlauts(c.name(), LONGEST_TEXT);
              c.ok(() -> createVolume(c, volume(c).setName(name)));
            }),
        Case.of(
            "GEN-SIZE-004",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.ok(() -> createVolume(c, secrets(c, LARGEST_MAP)));
            }),
        Case.of(
            "GEN-SIZE-005",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              tooLong(c, volume(c).setName(Texts.filled(c.name(), LONGEST_TEXT + 1)));
              tooLong(c, volume(c).setName(Texts.filled(c.name(), 100_000)));
              tooLong(c, secrets(c, LARGEST_MAP + 1));
            }),
        Case.of("GEN-SIZE-006", LimitCases::mountFlags),
        Case.of(
            "GEN-SIZE-007",
            c -> {
              c.needs("service:Node");
              Volume volume = c.make().volume();
              String path =
                  c.make().onNode().targetPath()
                      + String.join(
                          "",
                          Collections.nCopies(
                              LONG_PATH / LONG_NAME, "/" + "p".repeat(LONG_NAME - 1)));
              c.ok(
                  () ->
                      c.node()
                          .nodeUnpublishVolume(
                              NodeUnpublishVolumeRequest.newBuilder()
                                  .setVolumeId(volume.getVolumeId())
                                  .setTargetPath(path)
                                  .build()));
            }));
  }

  private static void tooLong(CaseContext c, CreateVolumeRequest.Builder request) {
    Outcome<Volume> outcome = Outcome.of(() -> createVolume(c, request));
    if (outcome.ok()) {
      c.check(true, "", "");
      c.note("GEN-SIZE-005", "accepted");
    } else {
      c.judge("GEN-SIZE-005", outcome, false);
      c.note("GEN-SIZE-005", "refused");
    }
  }

  private static void mountFlags(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    Outcome<Volume> one = Outcome.of(() -> createVolume(c, flags(c, 1)));
    c.need(one.ok(), "the driver takes no mount flag noatime (" + one + ")");
    c.ok(() -> createVolume(c, flags(c, LARGEST_MAP / "noatime".length())));
  }

  private static CreateVolumeRequest.Builder flags(CaseContext c, int times) {
    VolumeCapability mount =
        c.requests().mount(Mode.SINGLE_NODE_WRITER).toBuilder()
            .setMount(
                MountVolume.newBuilder().addAllMountFlags(Collections.nCopies(times, "noatime")))
            .build();
    return volume(c).clearVolumeCapabilities().addVolumeCapabilities(mount);
  }

  /** What the user gave, filled up to so many bytes. */
  private static CreateVolumeRequest.Builder secrets(CaseContext c, int bytes) {
    String key = "csi-testkit-extra";
    Map<String, String> given = c.requests().secrets("CreateVolume", Map.of());
    int known =
        given.entrySet().stream()
            .mapToInt(one -> Texts.bytes(one.getKey()) + Texts.bytes(one.getValue()))
            .sum();
    int room = bytes - known - key.length();
    c.need(room > 0, "the secrets that were given take " + known + " bytes themselves");
    return volume(c).putAllSecrets(given).putSecrets(key, "s".repeat(room));
  }
}
