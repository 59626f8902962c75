package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeContentSource;
import java.time.Instant;
import java.util.List;

/**
 * What a new volume is filled with.
 *
 * @param size in bytes; 0 if there is no source
 * @param topology where the source can be reached; empty: everywhere
 */
record Source(long size, List<Topology> topology, BlockMap blocks) {

  static void wellFormed(VolumeContentSource source, FakeSettings settings) {
    switch (source.getTypeCase()) {
      case SNAPSHOT -> {
        Fields.required(source.getSnapshot().getSnapshotId(), "snapshot_id of the source");
        offered(settings.has(RPC.Type.CREATE_DELETE_SNAPSHOT), "a snapshot");
      }
      case VOLUME -> {
        Fields.required(source.getVolume().getVolumeId(), "volume_id of the source");
        offered(settings.has(RPC.Type.CLONE_VOLUME), "a volume");
      }
      case TYPE_NOT_SET -> throw Failure.invalid("volume_content_source names no source");
    }
  }

  private static void offered(boolean offered, String kind) {
    if (!offered) {
      throw Failure.invalid("this driver makes no volume from " + kind);
    }
  }

  static Source of(VolumeContentSource source, FakeState state) {
    return switch (source.getTypeCase()) {
      case SNAPSHOT -> ofSnapshot(state.snapshot(source.getSnapshot().getSnapshotId()));
      case VOLUME -> ofVolume(state.volume(source.getVolume().getVolumeId()));
      case TYPE_NOT_SET -> new Source(0, List.of(), new BlockMap());
    };
  }

  private static Source ofSnapshot(FakeSnapshot snapshot) {
    if (!snapshot.ready(Instant.now())) {
      throw Failure.unavailable("the source snapshot is not ready yet");
    }
    return new Source(snapshot.size(), snapshot.topology(), snapshot.blocks().copy());
  }

  private static Source ofVolume(FakeVolume volume) {
    return new Source(volume.capacity, volume.topology, volume.blocks.copy());
  }

  boolean reaches(Topology place) {
    return topology.isEmpty() || topology.contains(place);
  }
}
