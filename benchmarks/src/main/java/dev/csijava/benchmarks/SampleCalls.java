package dev.csijava.benchmarks;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.node.Publishing;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeUsage;

/** A driver that does nothing, and a request as kubelet sends it. */
final class SampleCalls {
  private static final long GIB = 1L << 30;

  private SampleCalls() {}

  /** Answers at once. */
  static CsiDriver driver() {
    return CsiDriver.named("benchmark.example.com")
        .version("1")
        .node(
            node ->
                node.id("node")
                    .publishing(new DoesNothing())
                    .stats(
                        (request, call) ->
                            NodeGetVolumeStatsResponse.newBuilder()
                                .addUsage(
                                    VolumeUsage.newBuilder()
                                        .setUnit(VolumeUsage.Unit.BYTES)
                                        .setTotal(GIB)
                                        .setUsed(1)
                                        .setAvailable(GIB - 1))
                                .build()))
        .build();
  }

  /** With a secret, pod information and a mount flag. */
  static NodePublishVolumeRequest publish() {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId("csi-vol-3c2b1b8e-6f0e-4c8e-9d4e-2f6f5e4b1a00")
        .setTargetPath("/var/lib/kubelet/pods/6f0e/volumes/kubernetes.io~csi/pvc-1/mount")
        .setVolumeCapability(
            VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("noatime"))
                .setAccessMode(
                    VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
        .putSecrets("password", "correct horse battery staple")
        .putVolumeContext("csi.storage.k8s.io/pod.name", "web-0")
        .putVolumeContext("csi.storage.k8s.io/pod.namespace", "shop")
        .putVolumeContext("csi.storage.k8s.io/pod.uid", "6f0e1c52-8d1c-4b61-9f3a-0c51f3e1b8aa")
        .putVolumeContext("storage.kubernetes.io/csiProvisionerIdentity", "1732900000000-1-example")
        .build();
  }

  private static final class DoesNothing implements Publishing {
    @Override
    public NodePublishVolumeResponse nodePublishVolume(
        NodePublishVolumeRequest request, CallContext call) {
      return NodePublishVolumeResponse.getDefaultInstance();
    }

    @Override
    public NodeUnpublishVolumeResponse nodeUnpublishVolume(
        NodeUnpublishVolumeRequest request, CallContext call) {
      return NodeUnpublishVolumeResponse.getDefaultInstance();
    }
  }
}
