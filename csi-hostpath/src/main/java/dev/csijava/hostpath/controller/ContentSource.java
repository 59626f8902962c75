package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.VolumeData.Source;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.Optional;

/** What a new volume is filled from. */
final class ContentSource {
  private ContentSource() {}

  /**
   * Refuses a source that names nothing, before anything is looked up.
   *
   * @throws CsiException INVALID_ARGUMENT
   */
  static void requireWellFormed(CreateVolumeRequest request) {
    if (!request.hasVolumeContentSource()) {
      return;
    }
    VolumeContentSource source = request.getVolumeContentSource();
    String id =
        switch (source.getTypeCase()) {
          case SNAPSHOT -> source.getSnapshot().getSnapshotId();
          case VOLUME -> source.getVolume().getVolumeId();
          case TYPE_NOT_SET -> "";
        };
    if (id.isEmpty()) {
      throw CsiException.invalidArgument(
          "volume_content_source names no snapshot and no volume; leave it out for an empty one");
    }
  }

  /**
   * Finds the source of a request that {@link #requireWellFormed} let through.
   *
   * @return empty if the volume is to be empty
   * @throws CsiException NOT_FOUND
   */
  static Optional<Source> find(CreateVolumeRequest request, StateDirectory state) {
    if (!request.hasVolumeContentSource()) {
      return Optional.empty();
    }
    VolumeContentSource source = request.getVolumeContentSource();
    boolean fromSnapshot = source.hasSnapshot();
    var store = fromSnapshot ? state.snapshots() : state.volumes();
    String id =
        fromSnapshot ? source.getSnapshot().getSnapshotId() : source.getVolume().getVolumeId();
    Record record =
        store
            .byId(id)
            .orElseThrow(
                () ->
                    CsiException.notFound(
                        "volume_content_source: there is no such "
                            + (fromSnapshot ? "snapshot" : "volume")));
    return Optional.of(new Source(record, store));
  }
}
