package dev.csijava.testkit.load;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CsiRpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * One volume and what was done with it, noted before it is asked for, so that all of it can be
 * undone whatever came of it. For one thread at a time.
 */
final class LoadVolume {
  /** What a caller must not take as an end: the driver may have done what was asked. */
  private static final Set<Status.Code> UNDECIDED =
      EnumSet.of(
          Status.Code.CANCELLED,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.UNAVAILABLE,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.ABORTED,
          Status.Code.UNKNOWN);

  private enum Step {
    CREATED,
    ATTACHED,
    STAGED,
    PUBLISHED
  }

  private final LoadDriver driver;
  private final String name;
  private final Set<Step> steps = EnumSet.noneOf(Step.class);
  private Volume volume = Volume.getDefaultInstance();
  private Map<String, String> publishContext = Map.of();
  private Path staging = Path.of("");
  private Path target = Path.of("");

  LoadVolume(LoadDriver driver, String name) {
    this.driver = driver;
    this.name = name;
  }

  void create() {
    steps.add(Step.CREATED);
    CreateVolumeRequest request =
        CreateVolumeRequest.newBuilder()
            .setName(name)
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(driver.settings().size()))
            .addVolumeCapabilities(driver.settings().capability())
            .putAllParameters(driver.settings().parameters())
            .putAllSecrets(secrets(CsiRpc.CREATE_VOLUME))
            .build();
    volume = ((CreateVolumeResponse) call(CsiRpc.CREATE_VOLUME, request)).getVolume();
  }

  /** To where it can be published from. */
  void attachAndStage() {
    if (driver.attaches()) {
      attach();
    }
    if (driver.stages()) {
      stage();
    }
  }

  private void attach() {
    steps.add(Step.ATTACHED);
    ControllerPublishVolumeRequest request =
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setNodeId(driver.nodeId())
            .setVolumeCapability(driver.settings().capability())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .putAllSecrets(secrets(CsiRpc.CONTROLLER_PUBLISH_VOLUME))
            .build();
    publishContext =
        ((ControllerPublishVolumeResponse) call(CsiRpc.CONTROLLER_PUBLISH_VOLUME, request))
            .getPublishContextMap();
  }

  private void stage() {
    staging = driver.places().staging(name);
    steps.add(Step.STAGED);
    call(
        CsiRpc.NODE_STAGE_VOLUME,
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllPublishContext(publishContext)
            .setStagingTargetPath(staging.toString())
            .setVolumeCapability(driver.settings().capability())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .putAllSecrets(secrets(CsiRpc.NODE_STAGE_VOLUME))
            .build());
  }

  void publish() {
    target = driver.places().target(name);
    steps.add(Step.PUBLISHED);
    call(
        CsiRpc.NODE_PUBLISH_VOLUME,
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllPublishContext(publishContext)
            .setStagingTargetPath(staging.toString())
            .setTargetPath(target.toString())
            .setVolumeCapability(driver.settings().capability())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .putAllSecrets(secrets(CsiRpc.NODE_PUBLISH_VOLUME))
            .build());
  }

  void stats() {
    call(
        CsiRpc.NODE_GET_VOLUME_STATS,
        NodeGetVolumeStatsRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setVolumePath(target.toString())
            .setStagingTargetPath(staging.toString())
            .build());
  }

  void unpublish() {
    call(
        CsiRpc.NODE_UNPUBLISH_VOLUME,
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setTargetPath(target.toString())
            .build());
    steps.remove(Step.PUBLISHED);
  }

  private void unstage() {
    call(
        CsiRpc.NODE_UNSTAGE_VOLUME,
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setStagingTargetPath(staging.toString())
            .build());
    steps.remove(Step.STAGED);
  }

  private void detach() {
    call(
        CsiRpc.CONTROLLER_UNPUBLISH_VOLUME,
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setNodeId(driver.nodeId())
            .putAllSecrets(secrets(CsiRpc.CONTROLLER_UNPUBLISH_VOLUME))
            .build());
    steps.remove(Step.ATTACHED);
  }

  private void delete() {
    call(
        CsiRpc.DELETE_VOLUME,
        DeleteVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllSecrets(secrets(CsiRpc.DELETE_VOLUME))
            .build());
    steps.remove(Step.CREATED);
  }

  /** Undoes all that was done, in reverse order, and forgets the volume. */
  void remove() {
    if (steps.contains(Step.CREATED) && volume.getVolumeId().isEmpty() && !wasMade()) {
      steps.clear();
    }
    if (steps.contains(Step.PUBLISHED)) {
      unpublish();
    }
    if (steps.contains(Step.STAGED)) {
      unstage();
    }
    if (steps.contains(Step.ATTACHED)) {
      detach();
    }
    if (steps.contains(Step.CREATED)) {
      delete();
    }
    driver.places().clear(name);
    driver.forget(this);
  }

  /** Asks again, as the provisioner does, when it is unknown what came of CreateVolume. */
  private boolean wasMade() {
    try {
      create();
      return true;
    } catch (StatusRuntimeException e) {
      if (UNDECIDED.contains(e.getStatus().getCode())) {
        throw e;
      }
      return false;
    }
  }

  private Message call(CsiRpc rpc, Message request) {
    return driver.measures().call(rpc, request);
  }

  private Map<String, String> secrets(CsiRpc rpc) {
    return driver.settings().secretsOf(rpc);
  }

  /** For people who must look for it. */
  @Override
  public String toString() {
    return "volume " + name + (volume.getVolumeId().isEmpty() ? "" : ", " + volume.getVolumeId());
  }
}
