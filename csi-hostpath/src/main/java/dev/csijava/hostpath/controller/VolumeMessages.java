package dev.csijava.hostpath.controller;

import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.spec.v1.Volume;
import java.util.List;

/** What callers are told of a volume: the same in the first answer, its replay and every list. */
record VolumeMessages(NodeTopology topology, AttachedNodes attached) {
  Volume volume(Record record) {
    VolumeDetails details = record.getVolume();
    Volume.Builder volume =
        Volume.newBuilder()
            .setVolumeId(record.getId())
            .setCapacityBytes(record.getSizeBytes())
            .putAllVolumeContext(details.getContextMap())
            .addAllAccessibleTopology(topology.accessible());
    if (details.getRequest().hasVolumeContentSource()) {
      volume.setContentSource(details.getRequest().getVolumeContentSource());
    } else if (details.hasSource()) {
      volume.setContentSource(details.getSource());
    }
    return volume.build();
  }

  List<String> publishedNodes(Record record) {
    return attached.of(record);
  }
}
