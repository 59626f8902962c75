package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.controller.VolumeListing;
import dev.csijava.core.controller.VolumeLookup;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.request.Pages;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;

/** Lists volumes and looks single ones up. */
public final class HostpathListing implements VolumeListing, VolumeLookup {
  private static final Pages PAGES = new Pages("volumes");

  private final ObjectStore volumes;
  private final VolumeMessages messages;

  /**
   * @param volumes what is listed
   */
  public HostpathListing(ObjectStore volumes, NodeTopology topology, AttachedNodes attached) {
    this.volumes = volumes;
    this.messages = new VolumeMessages(topology, attached);
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    var page = PAGES.cut(volumes.after(start), request.getMaxEntries(), this::entry);
    return ListVolumesResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  private ListVolumesResponse.Entry entry(Record volume) {
    // Always with a status: old sidecars read it unchecked.
    return ListVolumesResponse.Entry.newBuilder()
        .setVolume(messages.volume(volume))
        .setStatus(
            ListVolumesResponse.VolumeStatus.newBuilder()
                .addAllPublishedNodeIds(messages.publishedNodes(volume)))
        .build();
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(
      ControllerGetVolumeRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    return ControllerGetVolumeResponse.newBuilder()
        .setVolume(messages.volume(volume))
        .setStatus(
            ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                .addAllPublishedNodeIds(messages.publishedNodes(volume)))
        .build();
  }
}
