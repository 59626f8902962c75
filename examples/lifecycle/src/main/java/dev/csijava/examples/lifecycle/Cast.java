package dev.csijava.examples.lifecycle;

import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Those who act in the story: the sidecars, kubelet and the pods. Each method that makes a call
 * returns a few words on its answer. Remembers ids and answers by the names that the story uses.
 */
final class Cast {
  private static final String FILE = "notes.txt";

  private final Caller caller;
  private final Kubelet kubelet;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, CreateVolumeRequest> requests = new HashMap<>();
  private final Map<String, String> secondIds = new HashMap<>();
  private int listed;

  Cast(Caller caller, KubeletPaths paths) {
    this.caller = caller;
    this.kubelet = new Kubelet(caller, paths);
  }

  KubeletPaths paths() {
    return kubelet.paths();
  }

  /** The id that the driver gave to something that was made. */
  String id(String name) {
    return Objects.requireNonNull(ids.get(name), () -> name + " was not made");
  }

  String pluginInfo() {
    var info = caller.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    return info.getName() + " " + info.getVendorVersion();
  }

  String probe() {
    return caller.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue()
        ? "ready"
        : "not ready yet";
  }

  String pluginCapabilities() {
    return count(
        caller
            .identity()
            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesCount(),
        "capability",
        "capabilities");
  }

  String controllerCapabilities() {
    return count(
        caller
            .controller()
            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesCount(),
        "capability",
        "capabilities");
  }

  String nodeCapabilities() {
    return count(
        caller
            .node()
            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesCount(),
        "capability",
        "capabilities");
  }

  String nodeInfo() {
    var info = caller.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    List<String> words = new ArrayList<>(List.of(info.getNodeId()));
    new TreeMap<>(info.getAccessibleTopology().getSegmentsMap())
        .forEach((key, value) -> words.add(key + "=" + value));
    return String.join(", ", words);
  }

  String capacity() {
    long bytes =
        caller
            .controller()
            .getCapacity(GetCapacityRequest.getDefaultInstance())
            .getAvailableCapacity();
    return Sizes.text(bytes) + " available";
  }

  String create(String name, CreateVolumeRequest request) {
    Volume volume = caller.controller().createVolume(request).getVolume();
    ids.put(name, volume.getVolumeId());
    requests.put(name, request);
    return Sizes.text(volume.getCapacityBytes());
  }

  String createAgain(String name) {
    CreateVolumeRequest request = Objects.requireNonNull(requests.get(name));
    Volume volume = caller.controller().createVolume(request).getVolume();
    secondIds.put(name, volume.getVolumeId());
    return "";
  }

  boolean sameAgain(String name) {
    return id(name).equals(secondIds.get(name));
  }

  String validate(String name) {
    var answer =
        caller
            .controller()
            .validateVolumeCapabilities(
                ValidateVolumeCapabilitiesRequest.newBuilder()
                    .setVolumeId(id(name))
                    .addVolumeCapabilities(Requests.capability())
                    .build());
    return answer.hasConfirmed() ? "confirmed" : "not confirmed: " + answer.getMessage();
  }

  String listVolumes() {
    listed =
        caller.controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesCount();
    return count(listed, "volume", "volumes");
  }

  /** How many volumes the last listing had. */
  int listed() {
    return listed;
  }

  String snapshot(String name, String volume) {
    var snapshot =
        caller
            .controller()
            .createSnapshot(
                CreateSnapshotRequest.newBuilder()
                    .setName(name)
                    .setSourceVolumeId(id(volume))
                    .build())
            .getSnapshot();
    ids.put(name, snapshot.getSnapshotId());
    return snapshot.getReadyToUse() ? "ready to use" : "not ready yet";
  }

  String deleteSnapshot(String name) {
    caller
        .controller()
        .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id(name)).build());
    return "";
  }

  String delete(String name) {
    caller
        .controller()
        .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id(name)).build());
    return "";
  }

  String stage(String name) throws IOException {
    kubelet.stage(id(name));
    return "";
  }

  String stageUnknown() throws IOException {
    kubelet.stage("no-such-volume");
    return "";
  }

  String unstage(String name) throws IOException {
    kubelet.unstage(id(name));
    return "";
  }

  String publish(String name, String pod) throws IOException {
    kubelet.publish(id(name), name, pod);
    return "";
  }

  String unpublish(String name, String pod) {
    kubelet.unpublish(id(name), name, pod);
    return "";
  }

  String stats(String name, String pod) {
    var answer =
        caller
            .node()
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(id(name))
                    .setVolumePath(target(name, pod).toString())
                    .build());
    return answer.getUsageList().stream()
        .filter(usage -> usage.getUnit() == VolumeUsage.Unit.BYTES)
        .findFirst()
        .map(usage -> Sizes.text(usage.getUsed()) + " used of " + Sizes.text(usage.getTotal()))
        .orElse("no bytes");
  }

  Path target(String name, String pod) {
    return kubelet.target(pod, name);
  }

  void write(String name, String pod, String text) throws IOException {
    Files.writeString(target(name, pod).resolve(FILE), text);
  }

  String read(String name, String pod) throws IOException {
    return Files.readString(target(name, pod).resolve(FILE));
  }

  private static String count(int number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }
}
