package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.stream.Stream;

/** What a driver must be able to accept, and the validation therefore lets through. */
final class AcceptedCases {
  private static final String BYTES_128 = "\u20ac".repeat(42) + "ab";
  private static final String MARKS = "/../ . \t\r\n\u00fc\u4e2d\ud83d\ude00";

  /** A request with a value at its limit, and the requirements that demand to take it. */
  record Accepted(List<String> ids, Message request) {
    @Override
    public String toString() {
      return String.join(" ", ids);
    }
  }

  private AcceptedCases() {}

  static List<Accepted> all() {
    return Stream.of(names(), limits(), paths(), optional()).flatMap(List::stream).toList();
  }

  private static Accepted ok(String ids, Message.Builder request) {
    return new Accepted(List.of(ids.split(" ")), request.build());
  }

  private static List<Accepted> names() {
    return List.of(
        ok("CTRL-CREATE-012", ValidRequests.create().setName(BYTES_128)),
        ok("CTRL-CREATE-013", ValidRequests.create().setName(MARKS)),
        ok("CTRL-SNAP-009", ValidRequests.snapshot().setName(BYTES_128)),
        ok("CTRL-SNAP-010", ValidRequests.snapshot().setName(MARKS)),
        ok("GROUP-CREATE-021", ValidRequests.group().setName(BYTES_128)),
        ok("GROUP-CREATE-021", ValidRequests.group().setName(MARKS)));
  }

  private static List<Accepted> limits() {
    return List.of(
        ok("CTRL-PUB-022", ValidRequests.attach().setNodeId("n".repeat(256))),
        ok("GEN-SIZE-003", DeleteVolumeRequest.newBuilder().setVolumeId(BYTES_128)),
        ok("GEN-SIZE-004", ValidRequests.create().putParameters("k", "v".repeat(4095))),
        // What a driver filled up comes back with what Kubernetes adds.
        ok(
            "GEN-SIZE-004",
            ValidRequests.stage()
                .putVolumeContext("k", "v".repeat(4095))
                .putVolumeContext("storage.kubernetes.io/csiProvisionerIdentity", "1-2-a.b")),
        ok(
            "GEN-SIZE-004",
            ValidRequests.attach()
                .putVolumeContext("k", "v".repeat(4095))
                .putVolumeContext("storage.kubernetes.io/csiProvisionerIdentity", "1-2-a.b")),
        ok(
            "GEN-SIZE-004",
            ValidRequests.create()
                .putParameters("k", "v".repeat(4095))
                .putParameters("csi.storage.k8s.io/pvc/name", "p".repeat(253))),
        ok("GEN-SIZE-004 GEN-SEC-004", ValidRequests.stage().putSecrets("tls.key", "v".repeat(9))),
        ok(
            "GEN-SEC-004",
            ValidRequests.stage()
                .putAllSecrets(ValidRequests.SECRETS)
                .putSecrets("tls.key", "v".repeat(100_000))),
        ok(
            "GEN-SIZE-004",
            ValidRequests.stage()
                .setVolumeCapability(
                    ValidRequests.mount().toBuilder()
                        .setMount(
                            VolumeCapability.MountVolume.newBuilder()
                                .addMountFlags("context=" + "c".repeat(4088))))),
        ok(
            "GEN-RANGE-003",
            ValidRequests.create().setCapacityRange(ValidRequests.range(1L << 62, 0))),
        ok("GEN-RANGE-003", ValidRequests.create().setCapacityRange(ValidRequests.range(0, 1))),
        ok("GEN-RANGE-004", ValidRequests.expand().setCapacityRange(ValidRequests.range(7, 7))));
  }

  private static List<Accepted> paths() {
    String shortest = path(128);
    return List.of(
        ok("GEN-SIZE-007", ValidRequests.stage().setStagingTargetPath(path(4095))),
        ok("GEN-SIZE-007", ValidRequests.unpublish().setTargetPath(path(4095))),
        ok("NODE-STAGE-010", ValidRequests.stage().setStagingTargetPath(shortest)),
        ok("NODE-UNSTAGE-008", ValidRequests.unstage().setStagingTargetPath(shortest)),
        ok(
            "NODE-PUB-032",
            ValidRequests.publish().setTargetPath(shortest).setStagingTargetPath(shortest)),
        ok("NODE-UNPUB-010", ValidRequests.unpublish().setTargetPath(shortest)),
        ok(
            "NODE-STATS-014",
            ValidRequests.stats().setVolumePath(shortest).setStagingTargetPath(shortest)),
        ok(
            "NODE-EXPAND-018",
            ValidRequests.nodeExpand().setVolumePath(shortest).setStagingTargetPath(shortest)));
  }

  private static List<Accepted> optional() {
    return List.of(
        ok("GEN-FIELD-005 CTRL-CREATE-015", ValidRequests.create()),
        ok("GEN-FIELD-005", GetPluginInfoRequest.newBuilder()),
        ok("GEN-FIELD-006", ValidRequests.attach().setReadonly(false)),
        ok("GEN-FIELD-006", ValidRequests.allocated().setStartingOffset(0)),
        ok("GEN-VCAP-004", ValidRequests.create()),
        ok("CTRL-EXPAND-017", ValidRequests.expand()),
        ok("NODE-EXPAND-013 NODE-EXPAND-014", ValidRequests.nodeExpand()),
        ok("CTRL-UNPUB-008", ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("v")),
        ok("GEN-MODE-008", ValidRequests.attach().setVolumeCapability(ValidRequests.mount())),
        ok("GEN-MODE-009", ValidRequests.publish().setVolumeCapability(ValidRequests.mount())));
  }

  private static String path(int bytes) {
    return "/" + "p".repeat(bytes - 1);
  }
}
