package dev.csijava.examples.block;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One volume as it lies on disk.
 *
 * @param id random, and the name of its folder
 * @param request what it was made from
 * @param attachments one for each node that has it
 * @param image its blocks; the size of the file is the size of the volume
 */
record BlockVolume(
    String id,
    CreateVolumeRequest request,
    List<ControllerPublishVolumeRequest> attachments,
    Path image) {

  long sizeBytes() {
    try {
      return Files.size(image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<ControllerPublishVolumeRequest> attachmentTo(String nodeId) {
    return attachments.stream().filter(a -> a.getNodeId().equals(nodeId)).findFirst();
  }

  Volume toVolume() {
    return Volume.newBuilder().setVolumeId(id).setCapacityBytes(sizeBytes()).build();
  }
}
