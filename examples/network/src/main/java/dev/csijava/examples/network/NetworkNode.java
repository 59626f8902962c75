package dev.csijava.examples.network;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The node's side: each pod has a mount of its own, made by mount(8) and the helper of the file
 * system. There is no staging, so there is none to lose in a reboot.
 */
final class NetworkNode implements Publishing, VolumeStats {
  private static final Set<Mode> FOR_ONE_TARGET =
      Set.of(Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_READER_ONLY, Mode.SINGLE_NODE_SINGLE_WRITER);

  private final NetworkSettings settings;
  private final Mounter mounter;

  /** By a program: of a server that is away it costs the deadline, and not a thread for ever. */
  private final UsageReader usage = UsageReader.byPrograms(Duration.ofSeconds(30));

  /** So that two calls can't both find themselves the first, and a dead server stops few others. */
  private final List<Object> locks = Stream.generate(Object::new).limit(64).toList();

  NetworkNode(NetworkSettings settings, Mounter mounter) {
    this.settings = settings;
    this.mounter = mounter;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    String source = requireId(request.getVolumeId());
    NetworkController.refuseOwnKeys("context", request.getVolumeContextMap());
    settings
        .refusal(request.getVolumeCapability())
        .ifPresent(
            why -> {
              throw CsiException.failedPrecondition(why);
            });
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    synchronized (locks.get(Math.floorMod(source.hashCode(), locks.size()))) {
      if (FOR_ONE_TARGET.contains(request.getVolumeCapability().getAccessMode().getMode())) {
        refuseSecondTarget(request.getVolumeId(), target.path());
      }
      publish(request, source, target);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private void publish(NodePublishVolumeRequest request, String source, TargetPath target) {
    boolean made = target.createDirectory(mounter);
    List<String> options =
        settings.mountOptions(request.getVolumeCapability(), request.getReadonly());
    try {
      if (settings.credentialsOption().isEmpty()) {
        mounter.mount(source, target.path(), settings.type(), options);
      } else {
        mountWithCredentials(request, source, target, options);
      }
    } catch (CsiException e) {
      if (made && mounter.mountAt(target.path()).isEmpty()) {
        target.remove(mounter);
      }
      throw e;
    }
  }

  private void mountWithCredentials(
      NodePublishVolumeRequest request, String source, TargetPath target, List<String> options) {
    String text = request.getSecretsOrDefault("credentials", "");
    if (text.isEmpty()) {
      throw CsiException.invalidArgument("the secret for publishing lacks the key credentials");
    }
    try (CredentialsFile file = CredentialsFile.write(settings.runDirectory(), text)) {
      String option = settings.credentialsOption() + "=" + file.path();
      List<String> all = Stream.concat(options.stream(), Stream.of(option)).toList();
      mounter.mount(source, target.path(), settings.type(), all);
    } catch (IOException e) {
      throw CsiException.unavailable("the credentials can't be handed to the mount", e);
    }
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    Optional<Mount> there = mounter.mountAt(target.path());
    if (there.isPresent() && !isOf(there.get(), request.getVolumeId())) {
      throw CsiException.failedPrecondition("something else is mounted at target_path");
    }
    mounter.unmount(target.path());
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    requireId(request.getVolumeId());
    Path path = Path.of(request.getVolumePath());
    Optional<Mount> there = mounter.mountAt(path);
    if (there.isEmpty() || !isOf(there.get(), request.getVolumeId())) {
      throw CsiException.notFound("the volume is not at volume_path");
    }
    return NodeGetVolumeStatsResponse.newBuilder()
        .addAllUsage(usage.ofFileSystem(path).toMessages())
        .build();
  }

  private String requireId(String volumeId) {
    if (!NetworkVolume.isId(volumeId)) {
      throw CsiException.notFound("there is no volume " + volumeId);
    }
    return settings.sourceOf(volumeId);
  }

  /** Which mounts there are is the kernel's to say (rule K4); it is asked for nothing else. */
  private static void refuseSecondTarget(String volumeId, Path target) {
    List<Mount> all;
    try {
      all = MountTable.read().all();
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read", e);
    }
    for (Mount mount : all) {
      if (isOf(mount, volumeId) && !mount.target().equals(target)) {
        throw CsiException.failedPrecondition(
            "the access mode allows one target, and the volume is published at " + mount.target());
      }
    }
  }

  /**
   * By the end of its source: ids are random, and a mount outlives a change of the settings, as
   * when the server gets another name.
   */
  private static boolean isOf(Mount mount, String volumeId) {
    return NetworkVolume.isId(volumeId)
        && mount.source().endsWith("/" + volumeId + "/" + ExportStore.DATA);
  }
}
