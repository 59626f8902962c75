package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the provisioner does. */
final class ProvisionerCases implements CaseGroup {
  private static final String ROW = "ENGINE-CALLER-004";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int GIVEN_UP = 3;
  private static final Map<String, String> CLASS_KEYS =
      Map.of(
          "csi.storage.k8s.io/fstype", "ext4",
          "csi.storage.k8s.io/provisioner-secret-name", "secret",
          "csi.storage.k8s.io/provisioner-secret-namespace", "default");

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-provisioner",
            "A claim's volume is made and deleted as the provisioner does it",
            ProvisionerCases::claim,
            ROW,
            "GEN-TIME-001"),
        Case.of(
            "engine-callers-capacity",
            "Capacity is asked for with the class's own keys",
            ProvisionerCases::capacity,
            "ENGINE-CALLER-005"));
  }

  /** What it asks once, when it starts. */
  static void start(CaseContext c, String row) {
    c.ok(row, () -> c.identity().probe(ProbeRequest.getDefaultInstance()));
    c.ok(row, () -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()));
    c.ok(
        row,
        () ->
            c.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance()));
    c.ok(
        row,
        () ->
            c.controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance()));
  }

  private static void claim(CaseContext context) {
    CaseContext c = context.calling(false, TIMEOUT);
    start(c, ROW);
    Volume volume = provision(c, ROW, request(c));
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      String snapshot = c.make().snapshot(volume).getSnapshotId();
      restored(c, Requests.fromSnapshot(snapshot));
    }
    if (c.advertises("ctrl:CLONE_VOLUME")) {
      restored(c, Requests.fromVolume(volume.getVolumeId()));
    }
    if (!c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      delete(c, ROW, volume);
    }
  }

  private static void restored(CaseContext c, VolumeContentSource source) {
    Volume made = provision(c, ROW, request(c).setVolumeContentSource(source));
    c.same(ROW, source, made.getContentSource());
    delete(c, ROW, made);
  }

  /** The request for a claim: named after it, a lower bound only, with the keys that it may add. */
  static CreateVolumeRequest.Builder request(CaseContext c) {
    CreateVolumeRequest.Builder request =
        c.requests()
            .volume()
            .setName(c.name() + "-pvc-" + UUID.randomUUID())
            .clearVolumeCapabilities()
            .addVolumeCapabilities(c.requests().capability(Kubelet.readWriteOnce(c)));
    if (c.advertises("plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS") && c.advertises("service:Node")) {
      Topology here = c.nodeInfo().getAccessibleTopology();
      if (here.getSegmentsCount() > 0) {
        // As for a claim that waits for its pod, where other nodes' topologies are known as well.
        Volume anywhere = c.make().volume();
        TopologyRequirement.Builder places = TopologyRequirement.newBuilder();
        places.addRequisite(here).addPreferred(here);
        for (Topology place : anywhere.getAccessibleTopologyList()) {
          if (!place.equals(here)) {
            places.addRequisite(place).addPreferred(place);
          }
        }
        request.setAccessibilityRequirements(places);
      }
    }
    return request;
  }

  /** Gives up some calls before they are answered, and repeats until there is an answer. */
  static Volume provision(CaseContext c, String row, CreateVolumeRequest.Builder builder) {
    CreateVolumeRequest plain = builder.build();
    CreateVolumeRequest described =
        builder
            .putParameters("csi.storage.k8s.io/pvc/name", "data")
            .putParameters("csi.storage.k8s.io/pvc/namespace", "default")
            .putParameters("csi.storage.k8s.io/pv/name", plain.getName())
            .build();
    CaseContext impatient = Retries.impatient(c);
    for (int i = 0; i < GIVEN_UP; i++) {
      Outcome.of(() -> impatient.controller().createVolume(described));
    }
    Outcome<Volume> first =
        Retries.outcome(c, () -> c.controller().createVolume(described).getVolume());
    boolean refused = first.code() == Status.Code.INVALID_ARGUMENT;
    CreateVolumeRequest request = refused ? plain : described;
    if (refused) {
      c.note(row, "not with --extra-create-metadata: the driver refuses its parameters");
      first = Retries.outcome(c, () -> c.controller().createVolume(plain).getVolume());
    }
    Volume volume = c.ok(row, first);
    Volume again = Retries.answer(c, row, () -> c.controller().createVolume(request).getVolume());
    c.same(row, Stable.of(volume), Stable.of(again));
    if (row.equals(ROW)) {
      c.same("GEN-TIME-001", Stable.of(volume), Stable.of(again));
    }
    long wished = request.getCapacityRange().getRequiredBytes();
    c.check(
        row,
        volume.getCapacityBytes() == 0 || volume.getCapacityBytes() >= wished,
        "at least " + wished + " bytes, or none told",
        volume);
    return volume;
  }

  /** By its handle, twice; then it is in no list. */
  static void delete(CaseContext c, String row, Volume volume) {
    String id = volume.getVolumeId();
    Retries.answer(c, row, () -> DeleteVolumeCases.delete(c, id));
    Retries.answer(c, row, () -> DeleteVolumeCases.delete(c, id));
    if (c.advertises("ctrl:LIST_VOLUMES")) {
      boolean gone =
          Listing.volumes(c).stream().noneMatch(e -> e.getVolume().getVolumeId().equals(id));
      c.check(row, gone, "no such volume in the list", id);
    }
  }

  private static void capacity(CaseContext context) {
    String row = "ENGINE-CALLER-005";
    CaseContext c = context.calling(false, TIMEOUT);
    GetCapacityRequest.Builder request =
        GetCapacityRequest.newBuilder()
            .putAllParameters(c.settings().parameters())
            .putAllParameters(CLASS_KEYS);
    if (c.advertises("service:Node") && c.nodeInfo().hasAccessibleTopology()) {
      request.setAccessibleTopology(c.nodeInfo().getAccessibleTopology());
    }
    c.ok(row, () -> c.controller().getCapacity(request.build()));
  }
}
