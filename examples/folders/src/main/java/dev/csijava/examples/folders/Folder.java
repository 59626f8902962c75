package dev.csijava.examples.folders;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.nio.file.Path;

/**
 * One volume.
 *
 * @param id random, and the name of its folder
 * @param request what it was made from
 * @param sizeBytes what was promised
 * @param data what pods see
 */
record Folder(String id, CreateVolumeRequest request, long sizeBytes, Path data) {
  Volume toVolume() {
    return Volume.newBuilder().setVolumeId(id).setCapacityBytes(sizeBytes).build();
  }
}
