package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** Finds out which capabilities a driver does not support, by asking for volumes with them. */
final class Unsupported {
  private Unsupported() {}

  /** One that CreateVolume refuses; skips the case if the driver supports all that are tried. */
  static VolumeCapability find(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    for (VolumeCapability candidate : candidates(c)) {
      Outcome<Volume> alone =
          Outcome.of(
              () ->
                  CreateVolumeCases.createVolume(
                      c,
                      c.requests()
                          .volume()
                          .clearVolumeCapabilities()
                          .addVolumeCapabilities(candidate)));
      if (isForGood(alone)) {
        return candidate;
      }
    }
    throw new CaseStopped(
        CaseStopped.Kind.SKIPPED, "the driver supports every capability that was tried");
  }

  /** Whether the driver refuses the capability, and has not just no time or no room. */
  private static boolean isForGood(Outcome<Volume> outcome) {
    return !outcome.ok()
        && Codes.answered(outcome.code())
        && !Retries.nonFinal(outcome.code())
        && outcome.code() != Status.Code.INTERNAL;
  }

  private static List<VolumeCapability> candidates(CaseContext c) {
    List<VolumeCapability> candidates = new ArrayList<>();
    candidates.add(withFileSystem(c, "csi-testkit-no-such-fs"));
    candidates.add(c.requests().block(Mode.SINGLE_NODE_WRITER));
    candidates.add(c.requests().mount(Mode.SINGLE_NODE_WRITER));
    for (Mode mode :
        List.of(
            Mode.MULTI_NODE_MULTI_WRITER,
            Mode.MULTI_NODE_SINGLE_WRITER,
            Mode.MULTI_NODE_READER_ONLY,
            Mode.SINGLE_NODE_READER_ONLY)) {
      candidates.add(c.requests().capability(mode));
    }
    return candidates;
  }

  static VolumeCapability withFileSystem(CaseContext c, String type) {
    return c.requests().mount(Mode.SINGLE_NODE_WRITER).toBuilder()
        .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(type))
        .build();
  }
}
