package dev.csijava.hostpath.controller;

import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;

/** What callers are told of a record: the same in the first answer, its replay and every list. */
final class VolumeMessages {
  private VolumeMessages() {}

  static Volume volume(Record record, NodeTopology topology) {
    VolumeDetails details = record.getVolume();
    Volume.Builder volume =
        Volume.newBuilder()
            .setVolumeId(record.getId())
            .setCapacityBytes(record.getSizeBytes())
            .putAllVolumeContext(details.getContextMap())
            .addAccessibleTopology(topology.topology());
    if (details.getRequest().hasVolumeContentSource()) {
      volume.setContentSource(details.getRequest().getVolumeContentSource());
    }
    return volume.build();
  }

  static Snapshot snapshot(Record record) {
    return Snapshot.newBuilder()
        .setSnapshotId(record.getId())
        .setSourceVolumeId(record.getSnapshot().getSourceVolumeId())
        .setSizeBytes(record.getSizeBytes())
        .setCreationTime(record.getCreated())
        .setReadyToUse(true)
        .build();
  }
}
